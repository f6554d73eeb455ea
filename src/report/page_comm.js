/* Who sends to whom: what is sent from each rank to each, and the shape that it has. */

/* Ranks of a row or column: "3", "48\u201363" */
function commRanks(m, i) {
    var first = i * m.ranks_each, last = Math.min(m.ranks, first + m.ranks_each) - 1;
    return first + (last > first ? "\u2013" + last : "");
}

function commValue(m, k) {
    return m.fields[4 * k + (m.bytes > 0 ? 3 : 2)];
}

/* Least and most of a field in which anything is sent. */
function commEnds(m) {
    var least = Infinity, most = 0, k;
    for (k = 0; 4 * k < m.fields.length; k++) {
        least = Math.min(least, commValue(m, k));
        most = Math.max(most, commValue(m, k));
    }
    return { least: least, most: most };
}

/* Where the scale begins: with the least, or, where all are about as much, well below it. */
function commPalest(ends) {
    return Math.min(ends.most / 16, Math.max(1, ends.least));
}

/* "Fields have 18.0 MB to 19.6 MB. Full colour is the most, the palest would be a sixteenth of it; between them by logarithm." */
function commScale(m, ends) {
    var least = m.bytes > 0 ? size(ends.least) : whole(ends.least), most = m.bytes > 0 ? size(ends.most) : plural(ends.most, "message");
    return "Where anything is sent it is " + (least === most || ends.least === ends.most ? most : least + " to " + most) +
        ". Full colour is the most, the palest " + (ends.least > ends.most / 16 ? "would be a sixteenth of it" : "the least") +
        "; between them by logarithm.";
}

function commShade(value, least, most) {
    return (0.12 + 0.88 * Math.log(Math.max(value, least) / least) / Math.log(most / least)).toFixed(3);
}

function commWords(m, row, column) {
    var k, from = commRanks(m, row), to = commRanks(m, column), noun = m.ranks_each > 1 ? "ranks " : "rank ";
    for (k = 0; 4 * k < m.fields.length; k++)
        if (m.fields[4 * k] === row && m.fields[4 * k + 1] === column)
            return noun + from + " to " + noun + to + ": " + plural(m.fields[4 * k + 2], "message") +
                (m.bytes > 0 ? ", " + size(m.fields[4 * k + 3]) : "");
    return noun + from + " to " + noun + to + ": no messages";
}

/* Names above the columns, as many as there is room for. */
function commColumns(plot, m, count) {
    var room = plot.across / (plot.b - plot.a), every = Math.ceil((8 + 7 * commRanks(m, count - 1).length) / room), i;
    tick(plot.axis, plot.left, 12, "to", "start");
    for (i = 0; i < count; i += every)
        if (plot.sees(i + 0.5, i + 0.5))
            tick(plot.axis, plot.x(i + 0.5), plot.top - 6, commRanks(m, i), "middle");
}

function commPlot(m) {
    var count = Math.ceil(m.ranks / m.ranks_each), tall = Math.max(5, Math.min(32, Math.floor(384 / count)));
    var names = [], ends = commEnds(m), palest = commPalest(ends), i;
    for (i = 0; i < count; i++)
        names.push({ label: commRanks(m, i) });
    return new Plot({
        title: (m.bytes > 0 ? "Bytes" : "Messages") + " from each rank to each" +
            (m.application ? ", application " + m.application : ""),
        kind: "comm", bare: true, from: 0, to: count, height: tall * count, deepest: Math.max(2, count / 4), top: 34,
        note: "From the rank of the row to that of the column. " + commScale(m, ends) +
            (m.ranks_each > 1 ? " Up to " + m.ranks_each + " ranks share a row and a column." : "") +
            (m.first ? " Ranks count from 0 in the application: its 0 is rank " + m.first + " under the other tabs." : ""),
        draw: function (plot) {
            tick(plot.axis, plot.left - 8, 12, "from", "end");
            nameAxis(plot, { rows: names }, tall);
            commColumns(plot, m, count);
            plot.rect(0, count, plot.top, tall * count, "empty");
            for (i = 0; 4 * i < m.fields.length; i++)
                if (plot.sees(m.fields[4 * i + 1], m.fields[4 * i + 1] + 1))
                    plot.rect(m.fields[4 * i + 1], m.fields[4 * i + 1] + 1, plot.top + m.fields[4 * i] * tall,
                        tall > 6 ? tall - 1 : tall, "warm", 0.5)
                        .setAttribute("fill-opacity", commShade(commValue(m, i), palest, ends.most));
        },
        tell: function (x, y) {
            var row = Math.floor(y / tall), column = Math.min(count - 1, Math.floor(x));
            return row < 0 || row >= count ? "" : commWords(m, row, column);
        }
    });
}

/* Lines as prvcut comm prints them: a heading of 12 letters at most, and what it says. */
function commSaid(m) {
    var lines = m.said.split("\n").filter(Boolean), list = [], notes = [];
    lines.forEach(function (line) {
        if (line.indexOf("note: ") === 0)
            notes.push(make("p", { "class": "more" }, "Note: " + line.slice(6) + "."));
        else
            list.push(make("dt", {}, line.slice(0, 12).trim()), make("dd", {}, line.slice(12)));
    });
    return [list.length ? make("dl", { "class": "said" }, list) : null, notes];
}

function commCollectives(m) {
    return m.collectives.length === 0 ? null : table("collectives", "Collectives, of all ranks" +
        (m.collectives_all > m.collectives.length ? ": the first " + m.collectives.length + " of " +
            m.collectives_all : ""), [
        { name: "Collective", head: true, of: function (c) { return short(c.name, 40); } },
        { name: "Calls", kind: "n", of: function (c) { return whole(c.calls); } },
        { name: "Sent", kind: "n", of: function (c) { return c.bytes === null ? null : size(c.bytes); } },
        { name: "Received", kind: "n", of: function (c) {
            return c.received_bytes === null ? null : size(c.received_bytes);
        } },
        { name: "Time", kind: "n", of: function (c) { return time(c.time_ns); } }
    ], m.collectives);
}

function commMatrix(m) {
    var drawing = m.fields.length > 0 ? commPlot(m).figure :
        para("No messages between ranks are recorded" + (m.application ? " in application " + m.application : "") + ".");
    return make("div", { "class": "pair" }, make("div", {}, drawing),
        make("div", {}, commSaid(m), commCollectives(m)));
}

function commPart() {
    var before = 0;
    (data.comm || []).forEach(function (m) {
        m.first = before;
        before += m.application ? m.ranks : 0;
    });
    return data.comm ? data.comm.map(commMatrix) : null;
}
