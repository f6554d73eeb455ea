/* How long each iteration took: in their order, on the first screen; how lengths are distributed, which
   iterations are unusual. */

/* The cut that holds it, or some of it where it stands for several. */
function cutOf(it) {
    return cuts.filter(function (c, i) {
        var own = data.cuts[i], r = regionOfCut(c);
        return own && r && r.loop === loop.loop && own.first < it.n + it.count && own.last >= it.n;
    })[0] || null;
}

/* A cut that lies inside of it, or across a border of it and its neighbour. */
function cutInside(it) {
    return cuts.filter(function (c, i) {
        var r = regionOfCut(c);
        return !data.cuts[i] && r && r.loop === loop.loop && it.start < c.window.end_ns &&
            it.start + it.sum > c.window.start_ns;
    })[0] || null;
}

/* An iteration: n, count (more than 1: several are one), start, sum, low, high. */
function iterationsOf(stretch, group) {
    var list = stretch.lengths_ns, t = stretch.start_ns, out = [], i, step = group > 1 ? 3 : 1, n;
    for (i = 0; i < list.length; i += step) {
        n = stretch.first + out.length * group;
        out.push({ n: n, count: Math.min(group, stretch.first + stretch.count - n), start: t, sum: list[i],
            low: list[i + (step > 1 ? 1 : 0)], high: list[i + (step > 1 ? 2 : 0)] });
        t += list[i];
    }
    return out;
}

var iterations = [], byStart = {};

/* The region that an iteration belongs to, "1.4"; between regions it is disturbed. */
function tellRegions() {
    var clear = data.iterations.clear, k = 0;
    iterations.forEach(function (it) {
        while (k < clear.length && clear[k + 1] < it.n)
            k += 3;
        it.region = k < clear.length && clear[k] < it.n + it.count ? loop.level + "." + clear[k + 2] : "";
    });
}

/* What fell into those that are disturbed: messages are slow where ranks write their trace buffers, which comes first. */
function tellCauses() {
    var masked = report.masked, first = 0;
    iterations.forEach(function (it) {
        var k, list = [];
        while (first < masked.length && masked[first].end_ns <= it.start)
            first++;
        for (k = first; k < masked.length && masked[k].start_ns < it.start + it.sum; k++)
            if (masked[k].end_ns > it.start && list.indexOf(masked[k].cause) < 0)
                list.push(masked[k].cause);
        list.sort(function (a, b) { return (b === "flushing") - (a === "flushing"); });
        if (!it.region)
            it.disturbed = { causes: list };
    });
}

/* "disturbed by trace flushes and slow messages" */
function disturbedWords(it) {
    return "disturbed" + (it.disturbed.causes.length ? " by " + joined(it.disturbed.causes.map(causeName)) : "");
}

/* Which kind each is of, where there are several; of several iterations the first one's. */
function tellKinds() {
    var list = data.iterations.kinds, k = 0, end = list[1];
    iterations.forEach(function (it) {
        while (k < list.length && end < it.n) {
            k += 2;
            end += list[k + 1];
        }
        it.ofKind = k < list.length ? list[k] : 0;
    });
}

function readIterations() {
    data.iterations.stretches.forEach(function (s) {
        iterations = iterations.concat(iterationsOf(s, data.iterations.group));
    });
    regions.forEach(function (r) {
        if (r.level === loop.level && r.loop === loop.loop)
            (r.outliers || []).forEach(function (o) { byStart[o.start_ns] = o; });
    });
    tellRegions();
    tellCauses();
    tellKinds();
    iterations.forEach(function (it) {
        it.cut = cutOf(it);
        it.holds = it.cut || cutInside(it);
        it.unusual = byStart[it.start] || null;
        it.kind = it.cut ? it.cut.kind === "outlier" ? "unusual" : "cut" : it.disturbed ? "disturbed" : it.unusual ? "unusual" : it.ofKind ?
            "kind" + it.ofKind : "";
        it.mean = it.sum / it.count;
    });
    return iterations;
}

function usualIterations() {
    var list = iterations.filter(function (it) { return !it.disturbed; });
    return list.length ? list : iterations;
}

function usualLengths() {
    return usualIterations().map(function (it) { return it.mean; });
}

function iterationName(it) {
    return it.count > 1 ? "iterations " + it.n + "-" + (it.n + it.count - 1) : "iteration " + it.n;
}

/* What is unusual is so beside the iterations around it, however it compares with the median. */
function whyUnusual(why) {
    return /^(long|short)$/.test(why) ? why + "er than neighbours" : why;
}

/* "iteration 62: 2.24ms, 3 % longer than the median, from 47.3ms; in the cut" */
function iterationWords(it, middle) {
    var off = Math.round(100 * (it.mean / middle - 1)), words = iterationName(it) + ": " + time(it.mean);
    if (it.count > 1)
        words += " each in the mean (" + time(it.low) + " to " + time(it.high) + ")";
    words += off === 0 ? ", as the median" : off >= 100 ? ", " + three(it.mean / middle) +
        " times the median" : ", " + Math.abs(off) + " % " +
        (off > 0 ? "longer" : "shorter") + " than the median";
    words += ", from " + at(it.start, it.mean / 20);
    if (it.region)
        words += ", region " + it.region;
    if (it.ofKind)
        words += ", kind " + it.ofKind;
    if (it.cut)
        words += "; in the " + cutTitle(it.cut);
    else if (it.holds)
        words += "; the " + cutTitle(it.holds) + " is from inside it";
    if (it.disturbed)
        words += "; " + disturbedWords(it);
    if (it.unusual && it.unusual.why)
        words += "; unusual: " + (it.unusual.cause || whyUnusual(it.unusual.why));
    return words;
}

function iterationAt(n) {
    return iterations.filter(function (it) { return n >= it.n && n < it.n + it.count; })[0] || null;
}

/* ---- in their order ---- */

/* What few long iterations would make flat is cut off. */
function lengthsTop(list) {
    var sorted = list.slice().sort(function (a, b) { return a - b; });
    var most = sorted[sorted.length - 1], many = sorted[Math.floor(0.95 * (sorted.length - 1))];
    return most > 3 * many ? 2 * many : most * 1.04;
}

/* One path a kind: many columns are few elements. */
function drawColumns(plot, by) {
    var paths = {};
    iterations.forEach(function (it) {
        var x0 = plot.x(it.n), x1 = plot.x(it.n + it.count), kind = it.kind;
        if (!plot.sees(it.n, it.n + it.count))
            return;
        x0 = Math.max(plot.left, x0);
        x1 = Math.max(x0 + 1, x1 - (x1 - x0 > 3 ? 1 : 0));
        paths[kind] = (paths[kind] || "") + "M" + x0.toFixed(1) + " " + (plot.top + plot.height) + "V" +
            plot.y(it.high / by).toFixed(1) + "H" + x1.toFixed(1) + "V" + (plot.top + plot.height) + "Z";
    });
    ["", "kind1", "kind2", "kind3", "kind4", "disturbed", "unusual", "cut"].forEach(function (kind) {
        var e = plot.path("iteration " + kind, paths[kind]);
        if (e && kind === "disturbed")
            e.style.fill = plot.hatch();
    });
}

/* A triangle over what was cut, so that it is found among thousands. */
function drawCutMarks(plot) {
    iterations.forEach(function (it) {
        var x = plot.x(it.n + it.count / 2), y = plot.top - 3;
        if (it.holds && plot.sees(it.n, it.n + it.count))
            plot.path("cutmark " + it.holds.kind,
                "M" + x.toFixed(1) + " " + y + "l-4 -7h8z");
    });
}

/* The one that the reader chose. */
function drawPicked(plot, by) {
    var it = plot.picked;
    if (it && plot.sees(it.n, it.n + it.count))
        plot.rect(it.n, it.n + it.count, plot.y(it.high / by), plot.top + plot.height - plot.y(it.high / by),
            "picked", 2);
}

function drawMedian(plot, middle, by) {
    plot.path("median", "M" + plot.left + " " + plot.y(middle / by).toFixed(1) + "H" + (plot.left + plot.across));
}

/* The drawing of lengths, and where it is said what was picked in it. */
var order = null, place = null, middle = NaN;

/* A slow one whose cause the page does not know. */
function whyCommand(it) {
    var typed = it.count === 1 && it.mean > 1.05 * middle && !(it.unusual && it.unusual.cause) ? whyAgain(it.n) : null;
    return typed ? make("p", {}, "Why it is slow: ", command(typed)) : null;
}

/* A click, a key or a link picks an iteration: its command, and its timeline where there is one. */
function pickIteration(it) {
    var typed = cutIterations(it.count > 1 ? it.n + "-" + (it.n + it.count - 1) : it.n);
    place.textContent = "";
    place.hidden = false;
    order.picked = it;
    order.draw();
    openTab("timeline", false);
    put(place, [make("p", {}, iterationWords(it, middle) + (showIteration(it) ? ". Its timeline is below." : ".")),
        typed ? command(typed) : null, whyCommand(it)]);
    history.replaceState(null, "", "#it" + it.n);
}

/* The iteration before or after the one that is picked; at first the one that was cut. */
function pickNext(by) {
    var cut = iterations.filter(function (it) { return it.cut; })[0] || iterations[0];
    var next = order.picked ? iterations[iterations.indexOf(order.picked) + by] : cut;
    if (!next)
        return;
    if (!order.sees(next.n, next.n + next.count))
        order.show(next.n - (order.b - order.a) / 2, next.n + (order.b - order.a) / 2);
    pickIteration(next);
}

function orderPlot() {
    var first = iterations[0], last = iterations[iterations.length - 1];
    var highest = lengthsTop(iterations.map(function (it) { return it.high; }));
    var most = Math.max.apply(null, iterations.map(function (it) { return it.high; }));
    var u = unitOf(highest, TIMES);
    var plot = new Plot({
        title: "Lengths in their order" + (data.leader ? ", on " + data.leader : ""), kind: "order", axis: "count", across: "Iteration",
        note: "Each column is an iteration, tall is long. Triangles: the cut. A click picks one: the command that cuts it, and its timeline.",
        from: first.n, to: last.n + last.count, height: 190,
        up: { low: 0, high: highest / u[1], title: "length (" + u[0] + ")",
            more: most > highest ? "cut off at the top: up to " + time(most) : "",
            mark: "dashed: median " + time(middle) },
        top: 34,
        draw: function (plot) {
            drawColumns(plot, u[1]);
            drawMedian(plot, middle, u[1]);
            drawCutMarks(plot);
            drawPicked(plot, u[1]);
        },
        tell: function (n) {
            var it = iterationAt(Math.floor(n));
            return it ? iterationWords(it, middle) : "";
        },
        click: function (n) {
            var it = iterationAt(Math.floor(n));
            if (it)
                pickIteration(it);
        }
    });
    return plot;
}

/* The link was made for another page, or typed wrongly. */
function sayNoIteration(n) {
    var first = iterations[0], last = iterations[iterations.length - 1];
    place.textContent = "No iteration " + n + " is known: those that are known are from " + first.n + " to " +
        (last.n + last.count - 1) + ".";
    place.hidden = false;
}

/* #it62 picks that iteration; true: it is a link to one. */
function followIteration(hash) {
    var m = /^#it(\d+)$/.exec(hash), it = order && m && iterationAt(+m[1]);
    if (!order || !m)
        return false;
    if (!it) {
        sayNoIteration(m[1]);
        return true;
    }
    if (iterations.length > 60)
        order.show(it.n - 20, it.n + 20);
    pickIteration(it);
    order.figure.scrollIntoView();
    return true;
}

/* ---- how they are distributed ---- */

function spreadOf(list, middle) {
    return 1.4826 * median(list.map(function (x) { return Math.abs(x - middle); }));
}

/* From where to where nearly all of these are. */
function reachOf(list) {
    var middle = median(list), spread = Math.max(spreadOf(list, middle), middle / 200);
    return [Math.max(Math.min.apply(null, list), middle - 10 * spread), Math.min(Math.max.apply(null, list), middle + 14 * spread)];
}

/* Nearly all of each kind; the few far ones are counted and named. */
function bins(list, middle) {
    var reach = report.kinds.map(function (k, i) {
        return usualIterations().filter(function (it) { return it.ofKind === i + 1; });
    }).filter(function (of) { return of.length; }).map(function (of) {
        return reachOf(of.map(function (it) { return it.mean; }));
    }).concat([reachOf(list)]);
    var from = Math.min.apply(null, reach.map(function (r) { return r[0]; })), to = Math.max.apply(null, reach.map(function (r) { return r[1]; }));
    var n = (list.length < 40 ? 20 : list.length < 200 ? 30 : 60) * (report.kinds.length > 1 ? 2 : 1);
    var out = { at: [], more: [], most: 0 }, i;
    if (to - from < middle / 50) {
        from -= middle / 100;
        to += middle / 100;
    }
    out.width = (to - from) / n;
    out.from = from - out.width;
    for (i = 0; i < n + 2; i++)
        out.at.push(0);
    list.forEach(function (x) {
        var k = Math.floor((x - out.from) / out.width);
        if (k >= 0 && k < out.at.length)
            out.most = Math.max(out.most, ++out.at[k]);
        else
            out.more.push(x);
    });
    return out;
}

function drawBins(plot, b, middle) {
    b.at.forEach(function (n, i) {
        var y = plot.y(n), from = b.from + i * b.width;
        if (n > 0)
            plot.rect(from, from + b.width, Math.min(y, plot.top + plot.height - 2),
                Math.max(2, plot.top + plot.height - y), "histogram");
    });
    plot.path("median", "M" + plot.x(middle).toFixed(1) + " " + plot.top + "V" + (plot.top + plot.height));
    iterations.forEach(function (it) {
        if (it.cut && plot.sees(it.mean, it.mean))
            plot.path("cutmark " + it.cut.kind,
                "M" + plot.x(it.mean).toFixed(1) + " " + (plot.top - 3) + "l-4 -7h8z");
    });
}

/* What kinds there are is the report's to say, however many peaks are seen. */
function peaksWords() {
    var kinds = report.kinds;
    return kinds.length > 1 ? "The iterations are of " + kinds.length + " kinds: " + joined(kinds.map(function (k, i) {
        return "kind " + (i + 1) + " with a median of " + time(k.median_ns);
    })) + "." : kinds.length ? "The report tells one kind of iterations, also where several peaks are seen here." : "Tall is a length that many have.";
}

function distributionPlot(list, middle) {
    var b = bins(list, middle), group = data.iterations.group, noun = group > 1 ? "column" : "iteration";
    return new Plot({
        title: "How the lengths are distributed", across: "Length", kind: "distribution",
        note: peaksWords() + " Triangles: the cut." + (group > 1 ? " Columns of " + group + " iterations are counted, by their mean." : "") +
            (b.more.length ? " Far off, not shown: " + b.more.length + ", " + (b.more.length > 1 ? "from " + time(Math.min.apply(null, b.more)) + " to " : "") +
                time(Math.max.apply(null, b.more)) + "." : ""),
        from: b.from, to: b.from + b.width * b.at.length, height: 150, top: 34,
        up: { low: 0, high: Math.max(1, b.most) * 1.15, title: noun + "s", whole: true,
            mark: "dashed: median " + time(middle) },
        draw: function (plot) { drawBins(plot, b, middle); },
        tell: function (x) {
            var k = Math.floor((x - b.from) / b.width), from = b.from + k * b.width;
            return k < 0 || k >= b.at.length ? "" :
                time(from) + " to " + time(from + b.width) + ": " + plural(b.at[k], noun);
        }
    });
}

/* ---- which are unusual ---- */

/* What unusual iterations stand out from. */
function unusualBeside(many) {
    return "beside " + (report.kinds.length > 1 ? "every kind" : many ? "their neighbours" : "its neighbours");
}

/* By how many spreads each is off; a disturbed one may be as long as usual. */
function strangeness(it, middle, spread) {
    var off = spread > 0 && it.count === 1 ? Math.abs(it.mean - middle) / spread : 0;
    return it.unusual ? Math.abs(it.unusual.deviation) : it.disturbed ? off : 0;
}

function whyStrange(it) {
    /* How much longer it is stands beside it. */
    return it.unusual ? (it.unusual.cause || whyUnusual(it.unusual.why)).replace(/^.* than the median: /, "") :
        disturbedWords(it);
}

function unusualTable(middle, spread) {
    var rows = iterations.filter(function (it) { return it.unusual || (it.disturbed && it.count === 1); });
    var masked = rows.some(function (it) { return !it.unusual; });
    rows.sort(function (a, b) {
        return strangeness(b, middle, spread) - strangeness(a, middle, spread) || a.n - b.n;
    });
    return rows.length === 0 ? null : table("oddones",
        "The " + (rows.length > 12 ? "12 most unusual of " + rows.length : "unusual") + (masked ? rows.length > 12 ?
            " unusual and disturbed" : " and disturbed" : "") + " iterations, " + unusualBeside(true) + (masked ? "; disturbed ones beside the median" : ""), [
            { name: "Iteration", head: true, kind: "n", of: function (it) {
                return make("a", { href: "#it" + it.n }, String(it.n));
            } },
            { name: "Region", of: function (it) { return it.region; } },
            { name: "From", kind: "n", of: function (it) { return at(it.start, it.mean / 20); } },
            { name: "Length", kind: "n", of: function (it) { return time(it.mean); } },
            { name: "\u00d7 median", kind: "n", of: function (it) { return three(it.mean / middle); } },
            { name: "Why", kind: "why", of: whyStrange },
            { name: "Cut it", kind: "act", of: function (it) {
                var typed = cutIterations(it.n);
                return typed ? copyButton(typed) : "";
            } }
        ], rows.slice(0, 12));
}

/* Where iterations differ so much that one cannot stand for all. */
function kindsTable() {
    var kinds = report.kinds.map(function (k, i) { return Object.assign({ n: i + 1 }, k); });
    var typed = cutAgain("--kinds");
    return kinds.length < 2 ? null : [table("kinds", "The kinds of iterations", [
        { name: "Kind", head: true, of: function (k) { return "kind " + k.n; } },
        { name: "Iterations", kind: "n", of: function (k) { return whole(k.iterations); } },
        { name: "Of the loop's time", kind: "n", of: function (k) { return percent(k.share); } },
        { name: "Shortest", kind: "n", of: function (k) { return time(k.shortest_ns); } },
        { name: iterations.some(function (it) { return it.disturbed; }) ? "Median, undisturbed" : "Median", kind: "n",
            of: function (k) { return time(k.median_ns); } },
        { name: "Longest", kind: "n", of: function (k) { return time(k.longest_ns); } }
    ], kinds), typed && !cuts.some(function (c) { return c.of_kind; }) ?
        make("p", {}, "A cut of each kind: ", command(typed)) : null];
}

function lengthsLegend() {
    var kinds = [["", "iteration"]].concat([1, 2, 3, 4].map(function (k) {
        return ["kind" + k, "kind " + k];
    }), [["cut", "in the cut"], ["disturbed", "disturbed"], ["unusual", "unusual " + unusualBeside(false)]]);
    return legend(kinds.filter(function (k) {
        return iterations.some(function (it) { return it.kind === k[0]; });
    }).map(function (k) { return ["iteration " + k[0], k[1]]; }));
}

/* "34 undisturbed iterations: median 2.22ms, spread 85us" */
function lengthsWords(list, middle, spread) {
    var group = data.iterations.group, n = iterations.reduce(function (sum, it) {
        return sum + (it.disturbed && list.length < iterations.length ? 0 : it.count);
    }, 0);
    return whole(n) + (list.length < iterations.length ? " undisturbed" : "") + " iteration" +
        (n === 1 ? "" : "s") + ": median " + time(middle) + ", spread " + time(spread) +
        " (1.48 \u00d7 the median deviation)." + (group > 1 ? " Each column is " + group + " of them." : "");
}

/* The first screen: in their order. */
function lengthsPart() {
    if (!loop || readIterations().length < 2)
        return null;
    middle = median(usualLengths());
    place = make("div", { "class": "chosen", hidden: "", "aria-live": "polite" });
    order = orderPlot();
    return [order.figure, lengthsLegend(), place];
}

function iterationsPart() {
    var list, spread, told;
    if (!order)
        return null;
    list = usualLengths();
    spread = spreadOf(list, middle);
    /* A table of sentences takes all of the width. */
    told = iterations.some(function (it) { return it.unusual && it.unusual.cause; });
    return [para(lengthsWords(list, middle, spread)), kindsTable(),
        make("div", { "class": told ? null : "pair" }, distributionPlot(list, middle).figure, unusualTable(middle, spread))];
}
