/* Where the time goes, and what each rank did in the cut. */

/* ---- ranks ---- */

function several(rows, of) {
    return rows.some(function (r) { return of(r) !== of(rows[0]); });
}

/* Does the trace say more than its own numbers do? EZTrace calls rank 3 "P#3T#0". */
function ownName(r) {
    return r.name && r.name !== r.thread && r.name !== "THREAD " + r.thread && !/^P#\d+T#\d+$/.test(r.name) ? r.name : "";
}

/* Short ones for the axis, full ones for the pointer: "rank 3", "rank 3 (thread 1.4.1)". */
function nameRows(rows) {
    var ranks = several(rows, function (r) { return r.application + "." + r.rank; });
    var more = rows.some(function (r) { return r.number > 1; }) && rows[0].number === 1, taken = {};
    rows.forEach(function (r) { taken["=" + r.name] = (taken["=" + r.name] || 0) + 1; });
    rows.forEach(function (r) {
        /* Score-P calls one thread of every rank "Master thread": that tells none from the others. */
        var own = taken["=" + r.name] === 1 ? ownName(r) : "", rank = "rank " + r.rank;
        r.label = own || (!ranks ? "thread " + r.thread : more && r.number > 1 ? "thread " + r.number : rank);
        r.full = !data.numbered ? (ranks ? rank + " (" + (r.name || r.label) + ")" : r.label) :
            (ranks ? rank + " (thread " + r.thread + ")" : "thread " + r.thread) + (own ? ", " + own : "");
        r.partner = ranks ? rank : !data.numbered && own ? own : "thread " + r.thread;
    });
}

function rowNoun(t) {
    return !data.numbered && t.rows.some(function (r) { return r.label === ownName(r); }) ? "location" :
        t.rows.every(function (r) { return r.number < 2; }) ? "rank" : "thread";
}

/* ---- colours ---- */

var NEAR = 90; /* of 441, from black to white: colours that are nearer look alike */

function channels(colour) {
    var n = parseInt(colour.slice(1), 16);
    return [n >> 16, n >> 8 & 255, n & 255];
}

function apart(a, b) {
    var x = channels(a), y = channels(b);
    return Math.sqrt(x.reduce(function (sum, v, i) { return sum + (v - y[i]) * (v - y[i]); }, 0));
}

/* So much of it, the rest black (0) or white (255). */
function mixed(colour, part, with_) {
    return "#" + channels(colour).map(function (v) {
        return (256 + Math.round(part * v + (1 - part) * with_)).toString(16).slice(1);
    }).join("");
}

/* Where there are more states than shades. */
var OTHERS = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#bcbd22", "#17becf", "#393b79",
    "#637939", "#e7cb94", "#843c39", "#7b4173", "#9edae5", "#98df8a", "#ffbb78", "#c5b0d5"];

var ownColours = {}, shownWith = {}, coloursChanged = false;

/* How far it is from the nearest of the others. */
function apartFrom(colour, others) {
    return Math.min.apply(null, others.map(function (other) { return apart(colour, other); }).concat(442));
}

/* The state's own colour, or a shade of it where another state has nearly the same, or another one: the first that no
   state has that is drawn beside it, or what is farthest from theirs. */
function colourOf(state) {
    var known = "=" + state.name, beside = Object.keys(shownWith[known]).filter(function (name) {
        return ownColours[name];
    }).map(function (name) { return ownColours[name]; });
    var shades = [state.colour].concat([[0.5, 0], [0.5, 255], [0.25, 0], [0.25, 255], [0.7, 0]].map(function (s) {
        return mixed(state.colour, s[0], s[1]);
    }), OTHERS);
    if (!ownColours[known]) {
        ownColours[known] = shades.filter(function (shade) { return apartFrom(shade, beside) >= NEAR; })[0] ||
            shades.reduce(function (best, shade) {
                return apartFrom(shade, beside) > apartFrom(best, beside) ? shade : best;
            });
        coloursChanged = coloursChanged || ownColours[known] !== state.colour;
    }
    return ownColours[known];
}

/* One state has one colour in all drawings of the page. */
(function () {
    var list = data.timelines.concat(data.picks.map(function (p) { return p.timeline; })).filter(Boolean);
    list.forEach(function (t) {
        t.states.forEach(function (s) {
            var with_ = shownWith["=" + s.name] = shownWith["=" + s.name] || {};
            t.states.forEach(function (other) {
                if (other !== s)
                    with_["=" + other.name] = true;
            });
        });
    });
    list.forEach(function (t) {
        t.states.forEach(function (s) { s.colour = colourOf(s); });
    });
}());

function coloursFrom() {
    return !data.own_colours ? "" : coloursChanged ? "; the colours are the trace's own, others where two are alike" :
        "; the colours are the trace's own";
}

/* A timeline whose rows have names, or null. */
function named(t) {
    if (t && !t.named) {
        nameRows(t.rows);
        t.named = true;
    }
    return t || null;
}

function timelineOf(i) {
    return named(data.timelines[i]);
}

function short(text, most) {
    return text.length > most ? text.slice(0, most - 1) + "\u2026" : text;
}

function leftOf(t) {
    var most = Math.max.apply(null, t.rows.map(function (r) { return Math.min(20, r.label.length); }));
    return Math.max(64, 14 + 6.4 * most);
}

function tallOf(t, most) {
    return Math.max(2, Math.min(most, Math.floor(560 / t.rows.length)));
}

function nameAxis(plot, t, tall) {
    var every = Math.ceil(11 / tall), i;
    for (i = 0; i < t.rows.length; i += every)
        tick(plot.axis, plot.left - 8, plot.top + i * tall + tall / 2 + 4, short(t.rows[i].label, 20), "end");
}

/* ---- a bar a rank ---- */

/* What a row has of the cut; where nothing was recorded its bar has a gap. */
function ownTime(t, r) {
    var own = r.window && r.window.end_ns > r.window.start_ns ? r.window : t;
    return Math.max(own.end_ns - own.start_ns, r.times_ns.reduce(function (a, b) { return a + b; }, 0));
}

/* Rows that nothing is recorded of there: no time of the cut is theirs, in bars as in the table. */
function isIdle(r) {
    return r.times_ns.every(function (ns) { return ns === 0; });
}

function idleNote(t) {
    var idle = t.rows.filter(isIdle).length;
    return idle === 0 || idle === t.rows.length ? "" : " Of " + plural(idle, rowNoun(t)) +
        " nothing is recorded in the cut: shares are of the time of the others.";
}

function barPieces(t) {
    return t.rows.map(function (r) {
        var all = ownTime(t, r), before = 0;
        return r.times_ns.map(function (ns, i) {
            var piece = { state: t.states[i], ns: ns, from: before, to: before + 100 * ns / all };
            before = piece.to;
            return piece;
        });
    });
}

/* From where on nothing is recorded of a row's time, in percent of it; 100: all of it is. */
function gapFrom(row) {
    var end = row.length ? row[row.length - 1].to : 100;
    return end > 99.95 ? 100 : end;
}

function shareWords(t, i, row, x) {
    var gap = gapFrom(row), p = row.filter(function (q) { return x >= q.from && x < q.to; })[0];
    if (!p && gap === 100)
        return "";
    return t.rows[i].full + ": " + (p ? p.state.name + ", " + time(p.ns) + ", " + (p.to - p.from).toFixed(1) :
        "in no recorded state, " + time(ownTime(t, t.rows[i]) * (100 - gap) / 100) + ", " + (100 - gap).toFixed(1)) +
        " % of its time in the cut";
}

function barsPlot(t) {
    var tall = tallOf(t, 18), pieces = barPieces(t), noun = rowNoun(t);
    return new Plot({
        title: "The time of each " + noun + " in the cut", kind: "bars",
        across: "Percent of its time", axis: "plain", from: 0, to: 100, height: tall * t.rows.length,
        left: leftOf(t),
        note: "One bar a " + noun + coloursFrom() + ". Bars that differ show an imbalance." +
            (pieces.some(function (row) { return gapFrom(row) < 100; }) ? " What is left blank is in no recorded state." : "") + idleNote(t) + sampled(t),
        draw: function (plot) {
            plot.ground();
            nameAxis(plot, t, tall);
            pieces.forEach(function (row, i) {
                row.forEach(function (p) {
                    if (p.ns > 0 && plot.sees(p.from, p.to))
                        plot.rect(p.from, p.to, plot.top + i * tall, tall > 4 ? tall - 2 : tall, "share")
                            .setAttribute("fill", p.state.colour);
                });
            });
        },
        tell: function (x, y) {
            var i = Math.floor(y / tall), row = pieces[i];
            return row && x >= 0 && x < 100 ? shareWords(t, i, row, x) : "";
        }
    });
}

function sampled(t) {
    return t.rows.length < t.threads ? " " + whole(t.rows.length) + " of " + plural(t.threads, caller()) + " are shown." : "";
}

function stateLegend(t) {
    var rows = t.rows.length === t.threads, sum = rows ?
        t.rows.reduce(function (a, r) { return a + (isIdle(r) ? 0 : ownTime(t, r)); }, 0) :
        t.states.reduce(function (a, s) { return a + s.ns; }, 0);
    return make("ul", { "class": "legend states" }, t.states.map(function (s, i) {
        var mark = swatch("key");
        mark.firstChild.style.fill = s.colour;
        return make("li", { "data-state": i }, mark, make("span", {}, short(s.name, 40)),
            make("span", { "class": "share" }, percent(sum ? s.ns / sum : 0)));
    }));
}

/* ---- by call, the cut beside its loop ---- */

function points(row) {
    return 100 * (row.chop - row.region);
}

/* One row a thing: the calls, and what is outside of them; where none are known the states. */
function shares(proof) {
    function rows(group) {
        return proof.rows.filter(function (r) {
            return r.group === group && r.unit === "share" && r.name !== "all MPI calls";
        });
    }
    var list = rows("call").length ? rows("call") : rows("state");
    return list.filter(function (r) { return Math.max(r.chop, r.region) >= 0.0005; })
        .sort(function (a, b) { return b.region - a.region || (a.name < b.name ? -1 : 1); });
}

/* "+0.6"; what is rounded to nothing has no sign */
function signed(x) {
    var text = Math.abs(x).toFixed(1);
    return (text === "0.0" ? "" : x > 0 ? "+" : "\u2212") + text;
}

function signedPoints(row) {
    return signed(points(row));
}

/* "all threads' time", or that of those that do something: of how many is told below the bars. */
function whoseTime() {
    var t = timelineOf(0);
    return t && idleNote(t) ? "the time of " + rowNoun(t) + "s that do something there" : "all threads' time";
}

function shareTable(c) {
    var rows = shares(c.proof), kind = rows.length ? rows[0].group : "", most = Math.max.apply(null, rows.map(function (r) {
        return Math.max(r.chop, r.region);
    }));
    return rows.length === 0 ? null : table("shares", "By " + kind + ": the cut beside " + wholeOf(c) +
        ", in percent of " + whoseTime(), [
        { name: "What", head: true, of: function (r) {
            return r.name === "outside MPI" && outsideName(c.proof) !== r.name ? "computing (outside MPI)" : short(r.name, 60);
        } },
        { name: "Cut", kind: "n", of: function (r) { return percent(r.chop); } },
        { name: wholeHead(c), kind: "n", of: function (r) { return percent(r.region); } },
        { name: "Points", kind: "n", of: signedPoints },
        { name: "Cut above, " + wholeHead(c).toLowerCase() + " below", kind: "bar", of: function (r) {
            return [meter(r.chop / most, "here"), meter(r.region / most, "there")];
        } }
    ], rows);
}

/* ---- iterations by ranks ---- */

function heatName(h, row) {
    var t = timelineOf(0), first = row * h.threads_each, last = Math.min(h.threads, first + h.threads_each) - 1;
    var one = h.by_rank ? 0 : 1, noun = h.by_rank ? "rank " : "thread ";
    if (t && t.rows.length === h.threads && first === last)
        return t.rows[first].label;
    return noun + (first + one) + (last > first ? "\u2013" + (last + one) : "");
}

/* Where no states are recorded computing is what is not in calls: of who makes none nobody knows it. */
function heatUnknown(h, row) {
    var columns = h.number.length / 2;
    return Boolean(report.efficiency) && report.efficiency.computing === "outside" &&
        h.values.slice(row * columns, (row + 1) * columns).every(function (v) { return v === 0; });
}

/* What is seldom lower and seldom higher: between these the colour runs. */
function heatEnds(h) {
    var columns = h.number.length / 2, unknown = [], sorted, i;
    for (i = 0; i < h.values.length / columns; i++)
        unknown.push(heatUnknown(h, i));
    sorted = h.values.filter(function (v, k) { return !unknown[Math.floor(k / columns)]; }).sort(function (a, b) { return a - b; });
    return { low: sorted[Math.floor(0.02 * (sorted.length - 1))], high: sorted[Math.ceil(0.98 * (sorted.length - 1))] };
}

function heatColumn(h, i) {
    var first = h.number[2 * i], last = h.number[2 * i + 1];
    return first === last ? "iteration " + first : "iterations " + first + "\u2013" + last;
}

function heatNote(h, unknown) {
    var columns = h.number.length / 2, all = h.number[h.number.length - 1] - h.number[0] + 1;
    return "Each cell is what a " + (h.by_rank ? "rank" : "thread") + " computes in an iteration, between its own " +
        "borders; full colour is long. A row unlike the others is an imbalance, such a column an iteration in which all " +
        "compute more or less than in others. What is longer in MPI alone does not show." +
        (unknown ? " A " + (h.by_rank ? "rank" : "thread") + " without calls is blank: no states tell whether it computes." : "") +
        (h.iterations < all ? " " + whole(h.iterations) + " of " + whole(all) + " iterations were looked at; the others are blank." : "") +
        (h.iterations > columns ? " Up to " + h.iterations_each + " iterations are one column, with their mean." : "") +
        (h.threads_each > 1 ? " Up to " + h.threads_each + (h.by_rank ? " ranks" : " threads") +
            " are one row, with their mean." : "");
}

function heatPlot(h) {
    var columns = h.number.length / 2, rows = h.values.length / columns, ends = heatEnds(h), i;
    var tall = Math.max(4, Math.min(18, Math.floor(420 / rows))), names = [];
    for (i = 0; i < rows; i++)
        names.push({ label: heatName(h, i), unknown: heatUnknown(h, i) });
    function from(c) { return h.number[2 * c]; }
    function to(c) { return c + 1 < columns ? Math.min(h.number[2 * c + 2], h.number[2 * c + 1] + 1) : h.number[2 * c + 1] + 1; }
    return new Plot({
        title: "Computing of each " + (h.by_rank ? "rank" : "thread") + " in each iteration", kind: "heat",
        across: "Iteration", axis: "count", from: from(0), to: to(columns - 1), height: tall * rows,
        left: leftOf({ rows: names }), note: heatNote(h, names.some(function (n) { return n.unknown; })),
        draw: function (plot) {
            nameAxis(plot, { rows: names }, tall);
            h.values.forEach(function (v, k) {
                var row = Math.floor(k / columns), c = k % columns, part;
                if (names[row].unknown || !plot.sees(from(c), to(c)))
                    return;
                part = ends.high > ends.low ? (v - ends.low) / (ends.high - ends.low) : 1;
                plot.rect(from(c), to(c), plot.top + row * tall, tall > 6 ? tall - 1 : tall, "warm", 0.5)
                    .setAttribute("fill-opacity", (0.08 + 0.92 * Math.max(0, Math.min(1, part))).toFixed(3));
            });
        },
        tell: function (x, y) {
            var row = Math.floor(y / tall), c = 0;
            while (c + 1 < columns && from(c + 1) <= x)
                c++;
            return row < 0 || row >= rows || x < from(c) || x >= to(c) ? "" : names[row].label + ", " +
                heatColumn(h, c) + (names[row].unknown ? ": not known whether it computes" :
                ": computes " + time(h.values[row * columns + c] / 1000 * h.most_ns));
        }
    });
}

function heatLegend(h) {
    var ends = heatEnds(h);
    function key(v, part) {
        var mark = swatch("warm");
        mark.firstChild.setAttribute("fill-opacity", part);
        return make("li", {}, mark, make("span", {}, time(v / 1000 * h.most_ns)));
    }
    return ends.high > ends.low ? make("ul", { "class": "legend" }, key(ends.low, 0.08),
        key((ends.low + ends.high) / 2, 0.54), key(ends.high, 1)) : null;
}

function heatPart() {
    return data.heat ? [heatPlot(data.heat).figure, heatLegend(data.heat)] : null;
}

/* What each takes, as a number and as a bar beside the first one's. */
function shareColumns(l) {
    return [
        { name: "Share", kind: "n", of: function (r) { return percent(r.share); } },
        { name: "0 to " + percent(l.line[0].share), kind: "bar", of: function (r) {
            return meter(r.share / (l.line[0].share || 1));
        } }
    ];
}

/* Of a run that nothing was cut from: the calls that take most of it. */
function callsTable() {
    var l = data.calls;
    return !l || l.line.length === 0 ? null : table("calls", "Time of all ranks in calls, in the whole run" +
        (l.all > l.line.length ? ": the " + l.line.length + " calls of " + l.all + " that take longest" : ""), [
        { name: "Call", head: true, of: function (r) { return make("code", {}, short(r.name, 60)); } },
        { name: "Entered", kind: "n", of: function (r) { return whole(r.entered); } },
        { name: "Time", kind: "n", of: function (r) { return time(r.ns); } }
    ].concat(shareColumns(l)), l.line);
}

function timePart() {
    var t = timelineOf(0), c = cuts[0], bars = t && t.rows.some(function (r) { return r.times_ns.length; });
    return [bars ? barsPlot(t).figure : null, bars ? stateLegend(t) : null,
        c && c.proof && c.proof.rows ? shareTable(c) : null, callsTable()];
}

/* ---- source lines ---- */

/* "solve.f90:42": the file without its folders. */
function sourceOf(r) {
    return r.file ? r.file.replace(/^.*\//, "") + ":" + r.line : "";
}

/* Functions, with the lines in which they begin. */
function functionsTable(l) {
    return [table("lines", "Which functions take the time, and where in the source they begin, in the whole run" +
        (l.all > l.line.length ? ": the " + l.line.length + " functions of " + l.all + " that take longest" : "") + ", in percent of all threads' time in it", [
        { name: "Function", head: true, of: function (r) { return make("code", {}, short(r.name, 60)); } },
        { name: "Source", of: function (r) { return make("code", { title: r.file || "" }, short(sourceOf(r), 40)); } },
        { name: "Calls", kind: "n", of: function (r) { return whole(r.entered); } },
        { name: "Own time, all ranks", kind: "n", of: function (r) { return time(r.ns); } },
        { name: "With what it calls", kind: "n", of: function (r) { return typeof r.inclusive_ns === "number" ? time(r.inclusive_ns) : ""; } }
    ].concat(shareColumns(l)), l.line), explain("Own time is that outside MPI calls and outside the functions that it calls. A function that the trace " +
        "gives no line of has none here; so have several functions of one name.")];
}

function linesPart() {
    var l = data.lines;
    if (l && l.functions && l.line.length > 0)
        return functionsTable(l);
    return !l || l.line.length === 0 ? null : [table("lines", "Where in the source MPI is called, in the whole run" +
        (l.all > l.line.length ? ": the " + l.line.length + " lines of " + l.all + " that take longest" : "") + ", in percent of all threads' time in it", [
        { name: "Line", head: true, of: function (r) { return make("code", {}, short(r.name, 80)); } },
        { name: "Calls", kind: "n", of: function (r) { return whole(r.entered); } },
        { name: "Time of all ranks", kind: "n", of: function (r) { return time(r.ns); } }
    ].concat(shareColumns(l)), l.line), explain("Time is that in the MPI calls made there. " + (l.line.some(function (r) { return isBareNumber(r.name); }) ?
            "Lines that the trace has no label for are called by their number." : "Names are the trace's own."))];
}
