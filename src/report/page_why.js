/* Why this period or none, what the loops consist of, and how the cut compares. */

/* ---- why ---- */

var SAID = { chosen: "found the loop", agrees: "agrees", inner: "sees a loop within it",
    multiple: "sees several iterations as one", differs: "differs", none: "sees no loop",
    absent: "not in this trace" };

function votesTable() {
    var votes = report.metrics;
    return votes.length === 0 ? null : table("votes", "What the calls and each signal say of the loop", [
        { name: "Signal", head: true, of: function (v) { return v.name; } },
        { name: "Repeats every", kind: "n", of: function (v) { return v.period_ns ? time(v.period_ns) : null; } },
        { name: "Times the loop's", kind: "n", of: function (v) {
            return v.period_ns && report.period_ns ? three(v.period_ns / report.period_ns) : null;
        } },
        { name: "Iterations", kind: "n", of: function (v) { return v.period_ns ? number(v.iterations) : null; } },
        { name: "Strength", kind: "n", of: function (v) {
            return v.period_ns ? v.strength.toFixed(2) : null;
        } },
        { name: "0 to 1", kind: "bar", of: function (v) { return meter(v.period_ns ? v.strength : 0); } },
        { name: "Says", of: function (v) { return SAID[v.status] || v.status; } },
        { name: "Why", kind: "why", of: function (v) { return v.why || ""; } }
    ], votes, function (tr, v) { tr.className = v.status; });
}

function counted(status) {
    return report.metrics.filter(function (v) { return v.status === status; }).length;
}

function joined(list) {
    return list.length < 2 ? list.join("") : list.slice(0, -1).join(", ") + " and " + list[list.length - 1];
}

function whyWords() {
    var others = ["agrees", "inner", "multiple", "differs", "none", "absent"].filter(counted);
    var words = "The loop was found by ";
    if (loop.source === "given")
        return "How long an iteration takes was given (--period); nothing was searched.";
    words += loop.source === "calls" ? "the order of the " + data.calls_are + ", which does not jitter as times do" :
        "the signal '" + loop.source + "'";
    if (loop.source === "calls" && loop.examined)
        words += ": " + loop.followers + " of " + loop.examined + " " + caller() + "s compared follow it";
    words += ".";
    if (others.length)
        words += " Of the other signals, " + joined(others.map(function (s) {
            return counted(s) + " " + (s === "absent" ? counted(s) > 1 ? "are " : "is " : "") +
                SAID[s].replace(/^(agree|see|differ)s\b/, counted(s) > 1 ? "$1" : "$1s");
        })) + ".";
    return words;
}

/* Is it higher there than on either side? A curve that only falls has no peak, nor has one that is highest a little beside it. */
function isPeak(c, at) {
    var here = between(c, 0.975 * at, 1.025 * at), near = between(c, 0.9 * at, 1.1 * at);
    var before = between(c, 0.4 * at, at), behind = between(c, at, 1.6 * at);
    return Boolean(here && before && behind) && here[1] > 0.15 && here[1] > near[1] - 0.02 &&
        Math.max(before[0], behind[0]) < here[1] - 0.05;
}

/* Is it as high sooner, once it has fallen? */
function peaksSooner(c, at) {
    var here = between(c, 0.975 * at, 1.025 * at)[1], fallen = false, t, v;
    for (t = c.start; t < 0.9 * at; t += c.step) {
        v = between(c, t, t + c.step);
        if (fallen && v && v[1] > here - 0.05)
            return true;
        fallen = fallen || Boolean(v) && v[0] < here - 0.1;
    }
    return false;
}

function likenessPlot(s) {
    var c = s.likeness, r = regions[s.region], marked = r.median_ns || r.period_ns, clear = isPeak(c, marked);
    return new Plot({
        title: "How alike the signal is to itself later, " + regionTitle(r), across: "Later by",
        kind: "likeness", from: c.start, to: c.end, height: 130, deepest: 60,
        up: { low: Math.min(c.low, 0), high: Math.max(0.2, c.top) * 1.08, title: "1 = the same" },
        note: clear ? "A peak at the length of an iteration, and at its multiples: the signal repeats." +
            (peaksSooner(c, marked) ? " Peaks as high come sooner: something shorter repeats, too." : "") :
            "No clear peak at the length of an iteration" +
                (r.spread_ns > marked / 20 ? ": the lengths vary, which blurs the signal." :
                    ": what this signal counts differs from iteration to iteration."),
        draw: function (plot) {
            plot.curve(c);
            if (!clear || !plot.sees(marked, marked))
                return;
            plot.path("vote", "M" + plot.x(marked).toFixed(1) + " " + plot.top + "v" + plot.height);
            plot.word(plot.x(marked) + 4, plot.top + 10, "length " + time(marked), "votename");
        },
        tell: function (t) {
            var v = between(c, t, t + c.step);
            return time(t) + " later" + (v ? ": alike " + v[2].toFixed(2) + ", where 1 is the same" : "");
        }
    });
}

function innerFigures(s) {
    var r = regions[s.region], parent = isNumber(r.parent) ? regions[r.parent] : null;
    return make("div", { "class": "pair" },
        s.curve ? signalPlot("Region " + regionTitle(r) + (parent ? ", within one iteration of " +
            regionTitle(parent) : ""), s.curve, r.level, bordersOf(r)).figure : null,
        s.likeness ? likenessPlot(s).figure : null);
}

function isLead(s) {
    return loop && regions[s.region] && regions[s.region].loop === loop.loop;
}

/* What the report gives to type, and one thing more. */
function tries() {
    var period = prvcut("--period TIME");
    return make("ul", { "class": "tries" }, period ? make("li", {}, "you know how long an iteration takes: type that for TIME in ",
        make("span", { "class": "command" }, make("code", {}, period))) : null, nexts.map(function (l) {
        return make("li", {}, l[0], command(l[1]));
    }));
}

function whyPart() {
    var lead = data.searches.filter(isLead)[0];
    if (!loop)
        return [para("No loop was found" + (report.reason ? ": " + report.reason : "") + "."),
            para("Perhaps it makes no calls, runs fewer than three times, or its calls depend on the data. " +
                "What can be tried:"), tries(), votesTable()];
    return [para(whyWords()), lead && lead.likeness ? likenessPlot(lead).figure : null, votesTable()];
}

/* ---- structure ---- */

/* Where a region lies, as shares of the drawing: parts lie beneath the loop whose iteration they divide. */
function placeOf(i) {
    var r = regions[i], whole = { start_ns: 0, end_ns: report.structure.end_ns }, room = { from: 0, to: 1 };
    var length, from, to;
    if (isNumber(r.parent) && r.parent < i) {
        whole = regions[r.parent].example || regions[r.parent];
        room = placeOf(r.parent);
    }
    length = whole.end_ns - whole.start_ns || 1;
    from = Math.max(0, Math.min(1, (r.start_ns - whole.start_ns) / length));
    to = Math.max(from, Math.min(1, (r.end_ns - whole.start_ns) / length));
    return { from: room.from + from * (room.to - room.from), to: room.from + to * (room.to - room.from) };
}

function barWords(r) {
    return regionTitle(r) + (isNumber(r.loop) ? ": " + number(r.iterations) +
        (r.iterations === 1 ? " iteration of " : " iterations of ") + time(r.period_ns) +
        (r.iterations === 1 ? "" : " in the mean") : "");
}

var LEVEL = 26;

/* Loops of ranks that nothing ties to the others run beside theirs: each such group has rows of its own. */
function levelRows() {
    var deepest = {}, below = 0;
    regions.forEach(function (r) { deepest[r.group] = Math.max(deepest[r.group] || 0, r.level); });
    return Object.keys(deepest).map(Number).sort(function (a, b) { return a - b; }).map(function (group) {
        var rows = { group: group, first: below, deep: deepest[group] };
        below += rows.deep;
        return rows;
    });
}

function rowOf(groups, r) {
    return groups.filter(function (g) { return g.group === r.group; })[0].first + r.level - 1;
}

/* As many words as there is room for: all, the name alone, none. */
function drawLevel(plot, bar) {
    var y = plot.top + bar.row * (LEVEL + 2), words = barWords(bar.r), x0, room;
    plot.rect(bar.from, bar.to, y, LEVEL, "bar " + regionStyle(bar.r));
    x0 = Math.max(plot.left, plot.near(bar.from));
    room = (plot.near(bar.to) - x0 - 10) / LETTER;
    if (words.length > room)
        words = regionTitle(bar.r);
    if (words.length <= room)
        plot.word(x0 + 6, y + 17, words, "name " + regionStyle(bar.r));
}

function drawLevels(plot, bars, groups) {
    groups.forEach(function (g) {
        for (var i = 0; i < g.deep; i++)
            tick(plot.axis, plot.left - 8, plot.top + (g.first + i) * (LEVEL + 2) + 17,
                (g.group ? "others " : "level ") + (i + 1), "end");
    });
    bars.forEach(function (b) {
        if (plot.sees(b.from, b.to))
            drawLevel(plot, b);
    });
}

var BARS = 500; /* regions that are drawn, the longest */

function levelsPlot() {
    var groups = levelRows(), bars = regions.map(function (r, i) {
        return Object.assign(placeOf(i), { r: r, row: rowOf(groups, r) });
    }).sort(function (a, b) {
        return b.to - b.from - (a.to - a.from);
    }).slice(0, BARS), last = groups[groups.length - 1];
    return new Plot({
        title: "Loops within loops", kind: "levels", across: "", bare: true,
        from: 0, to: 1, height: (last.first + last.deep) * (LEVEL + 2), deepest: 10000,
        note: "Each row divides one iteration of the loop above it" + (groups.length > 1 ?
            "; 'others': what ranks do that repeat a loop of their own beside it" : "") +
            ". Drag, or press w, to see short ones.",
        draw: function (plot) { drawLevels(plot, bars, groups); },
        tell: function (x, y) {
            var b = bars.filter(function (o) {
                return o.row === Math.floor(y / (LEVEL + 2)) && o.from <= x && o.to > x;
            })[0];
            return b ? barWords(b.r) + ", from " + placeTime(b.r) + ", " +
                time(b.r.end_ns - b.r.start_ns) + " long" : "";
        }
    });
}

/* Regions of one level in equal digits. */
function placeTime(r) {
    var parent = isNumber(r.parent) ? regions[r.parent] : null;
    return at(r.start_ns, parent ? Math.max(1, parent.median_ns / 1000) : report.structure.end_ns / 10000);
}

/* Of many disturbed parts the longest few; the others are counted. */
function tableRegions() {
    var masked = regions.filter(function (r) { return r.kind === "masked"; });
    var few = masked.slice().sort(function (a, b) {
        return b.end_ns - b.start_ns - (a.end_ns - a.start_ns);
    }).slice(0, 5), rows = regions.filter(function (r) {
        return r.kind !== "masked" || few.indexOf(r) >= 0;
    });
    return { rows: rows.slice(0, 150), left: regions.length - Math.min(150, rows.length) };
}

function departureWords(d) {
    return "other calls " + (d.every ? "in every " + d.every + "th iteration" : "now and then") +
        (d.count > 1 ? ", " + d.count + " times" : "") + ": " +
        (d.calls === 0 ? "as many calls, but others" :
            plural(Math.abs(d.calls), "call") + (d.calls < 0 ? " fewer" : " more") + " a thread");
}

function ofLoop(of) {
    return function (r) { return isNumber(r.loop) ? of(r) : ""; };
}

function regionsTable() {
    var shown = tableRegions();
    var left = shown.left ? "; " + shown.left + " short or disturbed ones are left out" : "";
    return [table("regions", "Regions" + left, [
        { name: "Region", head: true, of: function (r) {
            return [make("i", { "class": "dot " + regionStyle(r) }), regionTitle(r)];
        } },
        { name: "From", kind: "n", of: placeTime },
        { name: "Takes", kind: "n", of: function (r) { return time(r.end_ns - r.start_ns); } },
        { name: "Iterations", kind: "n", of: ofLoop(function (r) { return number(r.iterations); }) },
        { name: "Mean length", kind: "n", of: ofLoop(function (r) { return time(r.period_ns); }) },
        { name: "Median length", kind: "n", of: ofLoop(function (r) { return time(r.median_ns); }) },
        { name: "Spread", kind: "n", of: ofLoop(function (r) { return time(r.spread_ns); }) },
        { name: "Sure", kind: "n", of: ofLoop(function (r) {
            return isNumber(r.confidence) ? r.confidence.toFixed(2) : "as given";
        }) },
        { name: "Found by", of: ofLoop(function (r) { return r.source; }) },
        { name: "Cut it", kind: "act", of: ofLoop(function (r) {
            /* Two are cut by default; of a shorter region, all that it has. */
            var typed = cutAgain((r.iterations < 2 ? "--iterations 1 " : "") + "--region " + regionName(r));
            return typed ? copyButton(typed) : "";
        }) }
    ], shown.rows, function (tr, r) {
        tr.dataset.row = regions.indexOf(r);
        tr.className = "l" + Math.min(6, r.level);
    }), make("ul", { "class": "departures" }, regions.filter(function (r) {
        return (r.departures || []).length;
    }).slice(0, 8).map(function (r) {
        return make("li", {}, "Region " + regionTitle(r) + ": " +
            r.departures.slice(0, 4).map(departureWords).join("; "));
    })), data.nests && data.nests.length ? nestsTable() : null];
}

/* What threads call there, as loops within loops. */
function nestsTable() {
    return table("nests", "What the threads call in each region: so often what is in brackets; pieces of one loop together", [
        { name: "Region", head: true, of: function (n) {
            return [make("i", { "class": "dot " + regionStyle(regions[n.region]) }), regionTitle(regions[n.region])];
        } },
        { name: "Calls", kind: "why", of: function (n) { return n.said + (n.note ? "; note: " + n.note : ""); } }
    ], data.nests.filter(function (n) { return regions[n.region]; }));
}

function structurePart() {
    var inner = data.searches.filter(function (s) { return regions[s.region] && !isLead(s); });
    return !report.structure.loops ? null : [levelsPlot().figure, regionsTable(), inner.map(innerFigures)];
}

/* ---- proof ---- */

function quantity(row, x) {
    if (!isNumber(x))
        return "\u2013";
    return row.unit === "share" ? percent(x) : /^B\//.test(row.unit) ? size(x) : number(x);
}

function errorWords(row) {
    if (row.unit === "share")
        return signedPoints(row) + " points";
    return isNumber(row.error) ? signed(100 * row.error) + " %" : "only in the cut";
}

/* A state that is nothing but a call is told once. */
function isCall(state, rows) {
    return state.group === "state" && rows.some(function (r) {
        return r.group === "call" && r.unit === "share" && Math.abs(r.chop - state.chop) < 5e-4 &&
            Math.abs(r.region - state.region) < 5e-4;
    });
}

function proofTable(c) {
    var rows = c.proof.rows.filter(function (r) { return !isCall(r, c.proof.rows); });
    return table("proof", "Each quantity in the cut and in what it stands for; what matters most comes first", [
        { name: "Quantity", head: true, of: function (r) { return short(r.name, 60); } },
        { name: "Kind", of: function (r) { return r.group; } },
        { name: "Cut", kind: "n", of: function (r) { return quantity(r, r.chop); } },
        { name: wholeHead(c), kind: "n", of: function (r) { return quantity(r, r.region); } },
        { name: "Differs by", kind: "n", of: errorWords },
        { name: "Unit", of: function (r) {
            return r.unit !== "share" ? r.unit : r.group === "efficiency" ? "of 100 %" : "of the time";
        } }
    ], rows.slice(0, 60));
}

function proofPart() {
    return cuts.filter(function (c) { return c.proof && c.proof.rows; }).slice(0, 4).map(function (c) {
        var unlike = c.proof.unlike;
        return [cuts.length > 1 ? make("h3", {}, cutHeading(c)) : null,
            unlike ? para(unlike + " of " + plural(c.proof.threads, caller()) +
                " make another number of calls in the cut than in " +
                (c.stands_for === "loop" ? "the loop." : wholeOf(c) + ".")) : null, proofTable(c)];
    });
}
