/* The whole run: its regions, what disturbed it, and the signal that repeats. */

var SIGNALS = {
    bursts: ["computing, lengths of all bursts under way added up", "tall is a long computation"],
    computing: ["threads that compute", "tall is much computing at once"],
    p2p: ["threads in point-to-point calls", "tall is many that send or wait for messages"],
    collective: ["threads in collective calls", "tall is many that meet"],
    inflight: ["messages sent, not yet received", "tall is many on their way"],
    ipc: ["instructions per cycle", "tall is fast computing"],
    instructions: ["rate of instructions", "tall is much work done"],
    flops: ["rate of floating-point operations", "tall is much work done"],
    flushing: ["threads flushing their trace buffer", "tall is a disturbance by the tracer"],
    clock: ["clock rate", "low is a processor that was shared or slowed down"],
    clogged: ["messages in flight over bytes delivered", "tall: they are slow, or late to be received"]
};

var BANDS = 300; /* regions that are drawn */

function bandsOf(level) {
    var list = regions.filter(function (r) { return r.level === level && r.group === 0; });
    if (list.length <= BANDS)
        return list;
    return list.slice().sort(function (a, b) {
        return b.end_ns - b.start_ns - (a.end_ns - a.start_ns) || a.start_ns - b.start_ns;
    }).slice(0, BANDS);
}

var STRIP = 16;

function drawBands(plot, bands) {
    bands.forEach(function (r) {
        var style = regionStyle(r), room, title = regionTitle(r);
        if (!plot.sees(r.start_ns, r.end_ns))
            return;
        plot.rect(r.start_ns, r.end_ns, plot.top - STRIP, STRIP - 2, "strip " + style, 1);
        plot.rect(r.start_ns, r.end_ns, plot.top, plot.height, "band " + style, 1);
        room = plot.near(r.end_ns) - Math.max(plot.left, plot.near(r.start_ns));
        if (room > title.length * LETTER + 10)
            plot.word(Math.max(plot.left, plot.near(r.start_ns)) + 5, plot.top - 5, title, "name " + style);
    });
}

/* Borders of iterations, once they are far enough apart to be told. */
function drawGrid(plot, borders) {
    var d = "", seen = borders.filter(function (t) { return t >= plot.a && t <= plot.b; });
    if (seen.length > plot.across / 6)
        return;
    seen.forEach(function (t) { d += "M" + plot.x(t).toFixed(1) + " " + plot.top + "v" + plot.height; });
    plot.path("period", d);
}

function bordersOf(r) {
    var list = r.borders_ns || [], k;
    if (list.length === 0 && r.iterations < 2e5 && r.period_ns > 0)
        for (k = 0; k <= r.iterations; k++)
            list.push(r.start_ns + k * r.period_ns);
    return list;
}

function drawCuts(plot) {
    var ends = [-1, -1, -1];
    cuts.slice(0, 60).forEach(function (c) {
        var name = cutTitle(c), w = c.window, odd = c.kind === "outlier" ? " odd" : "", x, half, row;
        if (!plot.sees(w.start_ns, w.end_ns))
            return;
        plot.rect(w.start_ns, w.end_ns, plot.top, plot.height, "window" + odd, 2);
        half = name.length * 3.8;
        x = (Math.max(plot.left, plot.near(w.start_ns)) + plot.near(w.end_ns)) / 2;
        x = Math.max(plot.left + half, Math.min(plot.left + plot.across - half, x));
        row = [0, 1, 2].filter(function (i) { return ends[i] < x - half; })[0];
        if (row === undefined)
            return;
        ends[row] = x + half + 6;
        plot.word(x, plot.top + 13 + 18 * row, name, "cut" + odd, "middle");
    });
}

/* "threads that compute: 3.21, the mean of 0 to 8": of all that lies in one column of pixels */
function signalWords(c, t, plot) {
    var v = between(c, t, t + (plot.b - plot.a) / plot.across);
    return v ? "; " + c.name + ": " + three(v[2]) + c.unit + (v[1] - v[0] > 0.01 * c.top ? ", the mean of " +
        three(v[0]) + " to " + three(v[1]) : "") : "";
}

/* Where a time lies: region, iteration, cut, disturbance. */
function placeWords(t, fine) {
    var words = at(t, fine), r = regions.filter(function (q) {
        return q.level === 1 && q.start_ns <= t && q.end_ns > t;
    })[0], it = iterations.filter(function (q) { return q.start <= t && q.start + q.sum > t; })[0];
    if (r)
        words += ", " + regionTitle(r);
    if (it)
        words += ", " + iterationName(it);
    return words;
}

function signalPlot(title, curve, level, borders) {
    var known = SIGNALS[curve.name] || [curve.name, ""], c, plot, bands = bandsOf(level);
    curve = Object.assign({}, curve, { name: known[0] });
    c = scaledCurve(curve);
    plot = new Plot({
        title: title, across: "Time", kind: "signal", from: curve.start, to: curve.end, height: 180,
        top: 24 + STRIP, up: { low: c.low, high: c.top * 1.05 + (c.top > c.low ? 0 : 1), title: c.title,
            more: c.more },
        note: capital([loop ? "where the curve repeats, the loop does" : "", known[1]].filter(Boolean).join("; ") ||
            "the signal of the run") + ".",
        draw: function (p) {
            if (level === 1)
                drawBands(p, bands);
            drawGrid(p, borders);
            p.curve(c);
            drawCuts(p);
        },
        tell: function (t) {
            return (level === 1 ? placeWords(t, (plot.b - plot.a) / 1000) : at(t, (plot.b - plot.a) / 1000)) +
                signalWords(c, t, plot);
        }
    });
    return plot;
}

/* ---- what disturbed it ---- */

function causes(masked) {
    var by = {}, order = [];
    masked.forEach(function (m) {
        if (!by[m.cause]) {
            by[m.cause] = { n: 0, ns: 0 };
            order.push(m.cause);
        }
        by[m.cause].n++;
        by[m.cause].ns += m.end_ns - m.start_ns;
    });
    return order.map(function (cause) {
        return by[cause].n === 1 ? causeName(cause) + " once, " + time(by[cause].ns) :
            causeName(cause) + " " + whole(by[cause].n) + " times, " + time(by[cause].ns) + " in all";
    }).join("; ");
}

/* Text counts what fell into the loop. */
function inLoop(m) {
    return report.phase && m.end_ns > report.phase.start_ns && m.start_ns < report.phase.end_ns;
}

var DISTURBED_MOST = 6;

function disturbedTable() {
    var list = report.masked.slice().sort(function (a, b) {
        return b.end_ns - b.start_ns - (a.end_ns - a.start_ns) || a.start_ns - b.start_ns;
    }).slice(0, DISTURBED_MOST), masked = report.structure.iterations_masked;
    var inside = report.masked.filter(inLoop);
    var outside = report.masked.filter(function (m) { return !inLoop(m); });
    if (!masked && report.masked.reduce(function (sum, m) { return sum + m.end_ns - m.start_ns; }, 0) <
        report.structure.end_ns / 1000)
        return null;
    return [make("h3", {}, "Disturbed"), para([
        inside.length ? "The loop was disturbed: " + causes(inside) + "." : "",
        masked ? plural(masked, "iteration") + " of it " + (masked === 1 ? "is" : "are") +
            " left out of the choice." : "",
        outside.length ? (inside.length ? "Outside of the loop: " : "The run was disturbed: ") +
            causes(outside) + "." : ""].filter(Boolean).join(" ")),
        table("disturbances", list.length < report.masked.length ? "The " + list.length + " longest of " +
            report.masked.length : "What disturbed it, longest first", [
            { name: "Cause", head: true, of: function (m) { return causeName(m.cause); } },
            { name: "From", kind: "n", of: function (m) { return at(m.start_ns); } },
            { name: "Length", kind: "n", of: function (m) { return time(m.end_ns - m.start_ns); } },
            { name: caller() === "rank" ? "Ranks" : "Threads", kind: "n", of: function (m) {
                /* A network is nobody's. */
                return m.affected ? m.affected + " of " + report.input.threads : null;
            } }
        ], list)];
}

function runLegend() {
    var level1 = regions.filter(function (r) { return r.level === 1; }), items = [];
    function is(style) {
        return level1.some(function (r) { return regionStyle(r).indexOf(style) === 0; });
    }
    ["loop1", "loop2", "loop3"].forEach(function (style, i) {
        if (is("loop " + style)) items.push(["strip " + style, i && loop ? "another loop" : "loop"]);
    });
    if (is("quiet")) items.push(["strip quiet", "before and after it"]);
    if (is("aperiodic")) items.push(["strip aperiodic", "no loop"]);
    if (is("disturbed")) items.push(["disturbedkey", "disturbed"]);
    if (cuts.some(function (c) { return c.kind !== "outlier"; })) items.push(["window", "cut"]);
    if (cuts.some(function (c) { return c.kind === "outlier"; })) items.push(["window odd", "unusual iteration"]);
    return legend(items);
}

function runPart() {
    var borders = iterations.map(function (it) { return it.start; });
    var own = data.searches.filter(function (s) { return regions[s.region] && loop &&
        regions[s.region].loop === loop.loop; })[0];
    var partial = own && own.curve && data.run && own.curve.end - own.curve.start < 0.6 *
        (data.run.end - data.run.start);
    return [data.run ? signalPlot("The run", data.run, 1, borders).figure : null,
        partial ? signalPlot("Region " + regionTitle(regions[own.region]), own.curve, 1, borders).figure : null,
        data.run ? runLegend() : null, disturbedTable()];
}
