/* Appended to a copy of a page by the test, with selfcheck_drawn.js and selfcheck_hands.js: what is seen must be what the report says. */

var wrong = [], report = JSON.parse(document.getElementById("report").textContent);
var all = function (selector, root) {
    return Array.prototype.slice.call((root || document).querySelectorAll(selector));
};
var is = function (x) { return typeof x === "number"; };
function expect(ok, words) {
    if (!ok && wrong.length < 40)
        wrong.push(words);
}

/* A text such as "2.34ms" and the least that its last digit means, in the unit of the JSON. */
function number(text) {
    var units = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, "%": 0.01 };
    var m = /^([+\u2212-]?[\d,]+(?:\.(\d+))?)\s*([a-zA-Z%]*)$/.exec(text.trim());
    var unit = m && (m[3] ? units[m[3]] : 1);
    return m && unit ? { is: +m[1].replace(/,/g, "").replace("\u2212", "-") * unit,
        fine: unit * Math.pow(10, -(m[2] || "").length) } : null;
}
function near(text, value, what, round) {
    var n = number(text);
    expect(n && Math.abs(n.is - value) <= n.fine * 0.5001 + 1e-9 * Math.abs(value) + (round || 0),
        what + ": '" + text + "' is not " + value);
}
function same(text, value, what) {
    near(text, value, what, 0.5);
}
function cells(row) {
    return all("th, td", row).map(function (c) { return c.textContent; });
}
function rows(table) {
    return all("table." + table + " tbody tr");
}

function seen(e) {
    return e.getClientRects().length > 0;
}
function drawings(root) {
    return all("svg.plot", root).filter(seen);
}

/* ---- tabs ---- */

function tabs() {
    return all('[role="tab"]');
}
function panelOf(tab) {
    return document.getElementById(tab.getAttribute("aria-controls"));
}
/* The tab that holds it. */
function open(id) {
    var e = document.getElementById(id);
    tabs().forEach(function (t) {
        if (e && panelOf(t).contains(e))
            t.click();
    });
}
function opened() {
    return all(".panel").filter(seen);
}

function openCut() {
    open("timeline");
    document.querySelector(".picker button").click();
}

/* A check of the first screen, of what is under each tab, of each timeline. */
function everywhere(check) {
    var first = document.getElementById("lengths"), shots = all(".picker button");
    if (first)
        check(first);
    tabs().forEach(function (t) {
        t.click();
        check(panelOf(t));
    });
    shots.slice(1).forEach(function (b, i) {
        open("timeline");
        b.click();
        check(all(".shot")[i + 1]);
    });
    if (shots.length)
        shots[0].click();
}

/* Of iterations too short for the signals there is nothing to draw. */
function alike() {
    var regions = report.structure.regions, lead = regions[report.structure.main];
    return report.drawn.searches.some(function (s) {
        return s.likeness && lead && regions[s.region] && regions[s.region].loop === lead.loop;
    });
}

function expectParts(ids, drawings) {
    ids.forEach(function (id) { expect(document.getElementById(id), "no part " + id); });
    drawings.forEach(function (id) {
        expect(document.querySelector("#" + id + " svg.plot *"), "no drawing in " + id);
    });
}

function parts() {
    expectParts(["lengths", "iterations", "time", "run", "timeline", "why", "structure", "proof", "cuts", "about"],
        ["lengths", "time", "run", "timeline", "structure"].concat(alike() ? ["why"] : []));
}

/* What a run without a loop has, and what it has not. */
function partsWithout() {
    expectParts(["run", "why", "about"], ["run"]);
    ["lengths", "timeline", "structure", "proof", "cuts"].forEach(function (id) {
        expect(!document.getElementById(id), "an empty part: " + id);
    });
    expect(/No loop/.test(document.getElementById("verdict").textContent), "no verdict");
    expect(!tabs().some(function (t) { return /Files/.test(t.textContent); }), "a tab of files, of which none was written");
    all("p.more").forEach(function (p) {
        expect(!/the loop does|its loop/.test(p.textContent), "there is no loop: " + p.textContent);
    });
    var said = all(".said code").map(function (c) { return c.textContent; });
    var tries = all("#why .tries code").map(function (c) { return c.textContent; });
    expect(tries.length === 3, "nothing to try");
    expect(tries.filter(function (t) { return t.indexOf("--period") < 0 && said.indexOf(t) < 0; }).length === 0,
        "other commands than the report has: " + tries.join("; "));
    all("#why .tries button").forEach(function (b) {
        expect(!/--period/.test(b.getAttribute("aria-label")), "a period that nobody knows can be copied: " + b.getAttribute("aria-label"));
    });
}

function markup() {
    expect(all("main script:not([type]), main img, main iframe").length === 0,
        "a name has become markup");
    expect(all(".failed").length === 0, "a part failed: " + all(".failed").map(function (e) {
        return e.textContent;
    }).join());
    all("svg.plot").forEach(function (svg) {
        expect(svg.getAttribute("aria-label"), "a drawing without a name");
    });
    all("figure").forEach(function (f) {
        expect(f.querySelector('[data-do="save as SVG"]'), "a figure that cannot be saved");
        expect(f.querySelector("p.more").textContent, "a figure that is not explained");
    });
    all("button").forEach(function (b) {
        expect(b.textContent || b.getAttribute("aria-label"), "a button without a name");
    });
    all("nav a[href]").forEach(function (a) {
        expect(document.getElementById(a.getAttribute("href").slice(1)), "a link to nowhere: " + a.href);
    });
    all("section").forEach(function (s) {
        expect(s.textContent.length > s.querySelector("h2").textContent.length + 20, "empty: " + s.id);
    });
}

function words() {
    var old = /\b(winner|witness\w*|robust|faithful|doubtful|similarity|odd|chop)\b/i;
    all("section").forEach(function (s) {
        var m = old.exec(s.innerText.replace(/\S*chop\d\S*/g, ""));
        expect(!m, "an old word in " + s.id + ": " + (m && m[0]));
    });
}

function verdict() {
    var box = document.getElementById("verdict");
    expect(/\b(good|fair|bad)\b/.test(box.className), "no verdict: " + box.className);
    expect(/\d/.test(box.textContent), "a verdict without its number");
    expect(box.querySelector(".so"), "a verdict without its consequence");
    if (cuts.length && !cuts[0].of_kind && cuts[0].holds_kinds.length)
        expect(/of kinds? \d.* of the loop's time/.test(box.textContent) && !/holds for all of it/.test(box.textContent),
            "the verdict of a cut does not say of which kind it is: " + box.textContent);
    all(".said dd").forEach(function (e) {
        var said = /off by more than ([\d.]+) points/.exec(e.textContent.replace(/\s+/g, " "));
        expect(!said || box.textContent.indexOf(said[1]) >= 0,
            "the verdict has another worst than the report: " + box.textContent);
    });
}

/* Is a cut of the loop that leads, or do other ranks repeat it beside that one? */
function ofLead(c) {
    return report.structure.regions.some(function (r) { return r.level + "." + r.number === c.region && r.group === 0; });
}

function lengths() {
    var s = report.drawn.iterations.stretches, n = s.reduce(function (a, t) { return a + t.count; }, 0);
    expect(n >= report.iterations_in_phase - 1, "iterations: " + n);
    expect(s[0].first === 1, "the first iteration is " + s[0].first);
    /* An unusual iteration may be in the typical cut, too: it is marked once. */
    var cut = {};
    report.chops.forEach(function (c, i) {
        if (!ofLead(c))
            return;
        for (var k = 0; k < (report.drawn.cuts[i] ? c.window.iterations : 1); k++)
            cut[c.first_iteration ? c.first_iteration + k : "cut " + i + "." + k] = true;
    });
    n = Object.keys(cut).length;
    var marks = all(".order .cutmark").length, inside = report.drawn.cuts.some(function (c) { return !c; });
    expect(report.drawn.iterations.group > 1 || (inside ? marks >= n : marks === n), "marks of what was cut: " + marks);
}

/* Whatever the report calls unusual in the loop that leads is told, what is farthest off first; so is what was disturbed. */
function unusual() {
    var told = rows("oddones").map(function (row) { return +cells(row)[0]; }), all = [];
    var lead = report.structure.regions[report.structure.main];
    report.structure.regions.forEach(function (r) {
        if (r.level === lead.level && r.loop === lead.loop)
            all = all.concat((r.outliers || []).map(function (o) { return o.iteration; }));
    });
    if (report.drawn.iterations.group > 1)
        return;
    expect(all.every(function (n) { return told.indexOf(n) >= 0; }) || told.length === 12, "unusual: " + told + ", not " + all);
    report.drawn.iterations.stretches.forEach(function (s) {
        var longest = Math.max.apply(null, s.lengths_ns), n = s.first + s.lengths_ns.indexOf(longest);
        expect(longest < 3 * report.median_ns || report.kinds.length > 1 || told.indexOf(n) >= 0 || told.length === 12,
            "iteration " + n + " takes longest and is not among the unusual: " + told);
        disturbances(s);
        all = s.lengths_ns.map(function (length, i) { return s.first + i; }).filter(function (n) { return !isClear(n); });
        expect(all.every(function (n) { return told.indexOf(n) >= 0; }) || told.length === 12, "disturbed: " + told + ", not " + all);
    });
}

function isClear(n) {
    var c = report.drawn.iterations.clear, k;
    for (k = 0; k < c.length && (c[k] > n || c[k + 1] < n); k += 3)
        continue;
    return k < c.length;
}

/* All that fell into a disturbed iteration is named, flushes first. */
function disturbances(s) {
    var from = s.start_ns;
    s.lengths_ns.forEach(function (length, i) {
        var row = rows("oddones").filter(function (r) { return +cells(r)[0] === s.first + i; })[0];
        if (row && /disturbed by/.test(row.textContent))
            report.masked.forEach(function (m) {
                if (m.start_ns < from + length && m.end_ns > from)
                    expect(row.textContent.indexOf({ flushing: "by trace flushes", clogged: "slow messages" }[m.cause] || m.cause) > 0,
                        "iteration " + (s.first + i) + ": no " + m.cause + " in " + row.textContent);
            });
        from += length;
    });
}

function votes() {
    var list = rows("votes");
    expect(list.length === report.metrics.length, "votes: " + list.length);
    list.forEach(function (row, i) {
        var c = cells(row), m = report.metrics[i];
        expect(c[0] === m.name, "signal " + m.name);
        if (m.period_ns) {
            same(c[1], m.period_ns, "period of " + m.name);
            near(c[4], m.strength, "strength of " + m.name);
        }
    });
}

function regions() {
    var list = report.structure.regions;
    rows("regions").forEach(function (row) {
        var c = cells(row), r = list[+row.dataset.row];
        same(c[2], r.end_ns - r.start_ns, "length of region " + row.dataset.row);
        if (!is(r.loop))
            return;
        near(c[3], r.iterations, "iterations of region " + row.dataset.row);
        same(c[4], r.period_ns, "mean of region " + row.dataset.row);
        same(c[5], r.median_ns, "median of region " + row.dataset.row);
        near(c[7], r.confidence, "sure of region " + row.dataset.row);
        var copy = row.querySelector("button.copy"), typed = copy && copy.getAttribute("aria-label");
        expect(!report.drawn.trace || (typed && typed.indexOf(" --region " + r.level + "." + r.number + " ") > 0),
            "no command for region " + r.level + "." + r.number + ": " + typed);
    });
    expect(rows("regions").filter(function (row) {
        return list[+row.dataset.row].kind === "masked";
    }).length <= 5, "too many disturbed regions");
    expect(rows("disturbances").length <= 6, "too many disturbances");
}

/* What is a part of its time is drawn thin, and the legend says so. */
function thinParts() {
    all("#timeline .shot").filter(seen).forEach(function (shot) {
        var t = report.drawn.timelines[0], parts = t && !all("#timeline .picker button[aria-pressed=true]")[0].previousSibling &&
            t.rows.some(function (r) { return r.runs.some(function (v, i) { return i % 2 === 0 && v < 0; }); });
        var thin = all("path.state.part", shot), thick = all("path.state:not(.part)", shot);
        expect(!parts || thin.length > 0, "no part is drawn thin");
        expect(thin.length > 0 === Boolean(shot.querySelector(".legend .parts")), "the legend does not tell of thin pieces, or does of none");
        expect(thin.every(function (e) { return thick.every(function (o) {
            return Number(e.getAttribute("stroke-width")) < Number(o.getAttribute("stroke-width"));
        }); }), "a part is drawn as thick as the rest");
    });
}

/* Loops that run beside each other cover none of each other, and no two rows are called alike. */
function rowsOfTheirOwn() {
    var bars;
    open("structure");
    bars = all("#structure svg.plot rect.bar").map(function (e) { return e.getBoundingClientRect(); });
    bars.forEach(function (a, i) {
        bars.slice(i + 1).forEach(function (b) {
            expect(Math.abs(a.top - b.top) > 2 || Math.min(a.right, b.right) - Math.max(a.left, b.left) < 3,
                "bars of loops cover each other at " + a.left + " and " + b.left);
        });
    });
    openCut();
    all("#timeline .shot").filter(seen).forEach(function (shot) {
        var rank = "", names = all('text.tick[text-anchor="end"]', shot).map(function (t) {
            var own = t.textContent;
            /* A thread's row stands below that of its rank. */
            rank = /^thread /.test(own) ? rank : own;
            return rank === own ? own : rank + ", " + own;
        });
        expect(names.every(function (n, i) { return names.indexOf(n) === i || /\u2026$/.test(n); }), "rows of one name: " + names.join(", "));
    });
    thinParts();
    expect(!(report.input.applications > 1) || /application/.test(document.querySelector("header .said").textContent),
        "the first screen does not tell of applications");
}

function shares() {
    var proof = report.chops[0].proof.rows;
    rows("shares").forEach(function (row) {
        var c = cells(row), name = c[0].replace("computing (outside MPI)", "outside MPI");
        var r = proof.filter(function (p) {
            return p.unit === "share" && p.name.slice(0, 20) === name.slice(0, 20);
        })[0];
        expect(r, "no share of " + name);
        near(c[1], r.chop, "cut: " + name);
        near(c[2], r.region, "loop: " + name);
        near(c[3], 100 * (r.chop - r.region), "points: " + name);
    });
    expect(rows("shares").length > 0, "no shares");
    /* The legend of the bars and the table have one whole. */
    var t = report.drawn.timelines[0], legend = t && t.rows.length === t.threads ? all("#time .legend.states li") : [];
    legend.forEach(function (li) {
        var r = proof.filter(function (p) {
            return p.group === "state" && p.unit === "share" && p.name === li.querySelector("span:not(.share):not(.key)").textContent;
        })[0];
        if (r)
            near(li.querySelector(".share").textContent, r.chop, "legend: " + r.name);
    });
    all(".bars figure, figure.bars").forEach(function (f) {
        expect(all("rect.share", f).length > 0, "no bars");
    });
}

function heads(table) {
    return all("thead tr", table).map(function (row) { return cells(row).join("|"); }).join();
}

/* Tables are headed by what a cut is compared with; callers are called as the text calls them. */
function wholes() {
    var proved = report.chops.filter(function (c) { return c.proof && c.proof.rows.length; });
    var ranks = report.input.tasks === report.input.threads;
    var proofs = all("table.proof"), shares = all("table.shares");
    function whole(i) {
        var s = proved[i].stands_for;
        return "|Cut|" + (s === "loop" ? "Loop" : "Region " + s) + "|";
    }
    proofs.forEach(function (table, i) {
        expect(heads(table).indexOf(whole(i)) >= 0, "proof " + i + " is headed " + heads(table));
    });
    shares.forEach(function (table, i) {
        expect(heads(table).indexOf(whole(i)) >= 0, "shares " + i + " are headed " + heads(table));
    });
    rows("proof").forEach(function (row) {
        var c = cells(row);
        expect(c[1] !== "efficiency" || c[5] !== "of the time", c[0] + " is no time");
    });
    all("table.disturbances thead").forEach(function (head) {
        expect(/Ranks/.test(head.textContent) === ranks, "disturbed: " + head.textContent);
    });
    all("main h2, main h3").forEach(function (h) {
        expect(!/^[a-z]+( |$)/.test(h.textContent), "a heading begins small: " + h.textContent);
    });
    shares.forEach(function (table) {
        var said = table.closest("[role=region]").getAttribute("aria-label");
        expect(/of (all threads' time|the time of (rank|thread|location)s that do something there)$/.test(said), "shares do not say of whose time: " + said);
    });
    expect(!/threads compared/.test(document.getElementById("why").textContent) || !ranks,
        "ranks are called threads");
}

/* Fields of the matrix are as many as the report has; the numbers of collectives are its own. */
function comm() {
    var list = report.drawn.comm, boxes = all("#comm .pair");
    expect(boxes.length === list.length, "matrices: " + boxes.length);
    open("comm");
    boxes.forEach(function (box, i) {
        var m = list[i], lines = m.said.split("\n").filter(function (l) { return l && l.indexOf("note: ") !== 0; });
        expect(all(".comm rect.warm", box).length === m.fields.length / 4, "fields of matrix " + i);
        expect(all(".said dt", box).length === lines.length, "lines of matrix " + i);
        fieldsOf(box, m);
        expect(m.fields.length > 0 || /No messages/.test(box.textContent), "no word on no messages");
        all("table.collectives tbody tr", box).forEach(function (row, k) {
            var c = cells(row), call = m.collectives[k];
            same(c[1], call.calls, "calls of " + call.name);
            same(c[4], call.time_ns, "time of " + call.name);
        });
    });
}

function pressed(list) {
    return all("button", list).filter(function (b) { return b.getAttribute("aria-pressed") === "true"; });
}
function lost(list) {
    return all(".n", list).map(function (e) { return e.textContent; });
}

/* Each kind leads to its call paths, each path to its ranks, and to what iterations lose. */
function waiting() {
    var w = report.drawn.waits, lists = all("#waits .rows"), svg = document.querySelector("#waits svg.plot");
    if (!w || w.metrics.length === 0)
        return expect(!w || document.getElementById("waits").textContent, "no word on wait states");
    open("waits");
    (document.querySelector(".said").textContent + all("#waits p").map(function (p) { return p.textContent; }).join("\n"))
        .split(/[^\w/]+/).forEach(function (word) { expect(!w.titles[word], "a kind of waiting is not by its title: " + word); });
    near(lost(lists[0])[0], w.all_ns, "all waiting");
    all("button", lists[0]).forEach(function (b) {
        var m = w.metrics.filter(function (o) { return b.title.indexOf(o.name + ":") === 0; })[0], bars = svg && svg.innerHTML;
        b.click();
        expect(pressed(lists[0]).length === 1 && pressed(lists[0])[0] === b, "what is chosen is not marked");
        if (!m)
            return;
        near(lost(lists[0])[all("button", lists[0]).indexOf(b)], m.severity_ns, m.name);
        near(lost(lists[1])[0], m.severity_ns, "all paths of " + m.name);
        m.ranks_ns.forEach(function (ns, i) { near(lost(lists[2])[i], ns, m.name + " of rank " + i); });
        expect(!svg || svg.innerHTML !== bars, "iterations do not follow " + m.name);
        if (svg)
            waitingBars(svg, w.iterations, m);
    });
    all("button", lists[1]).forEach(function (b, i) {
        b.click();
        expect(pressed(lists[1])[0] === b, "the path that is chosen is not marked");
        expect(lost(lists[2]).length === Math.ceil(w.ranks / w.ranks_each), "not all ranks of path " + i);
    });
    all("button", lists[0])[0].click();
    rows("longest").forEach(function (row, i) {
        near(cells(row)[0], w.longest[i].severity_ns, "longest wait " + i);
        same(cells(row)[2], w.longest[i].rank, "rank of the longest wait " + i);
    });
    expect(rows("causes").length === w.costs.length, "causes: " + rows("causes").length);
    rows("causes").forEach(function (row, i) {
        near(cells(row)[0], w.costs[i].short_ns + w.costs[i].long_ns, "cause " + i);
        same(cells(row)[4], w.costs[i].rank, "rank of cause " + i);
    });
    expect(rows("critical").length === w.critical.parts.length, "parts of the critical path: " + rows("critical").length);
    rows("critical").forEach(function (row, i) {
        near(cells(row)[0], w.critical.parts[i].ns, "part of the critical path " + i);
        same(cells(row)[2], w.critical.parts[i].rank, "rank on the critical path " + i);
    });
}

/* Calls of a run that nothing was cut from. */
function calls() {
    var l = report.drawn.calls, list = rows("calls");
    expect(list.length === (l ? l.line.length : 0), "calls: " + list.length);
    list.forEach(function (row, i) {
        expect(cells(row)[0].slice(0, 20) === l.line[i].name.slice(0, 20), "call " + i);
        same(cells(row)[2], l.line[i].ns, "time of call " + i);
    });
}

/* Source lines that call, or functions with where they begin. */
function sources() {
    var l = report.drawn.lines, list = rows("lines");
    expect(list.length === (l ? l.line.length : 0), "source lines: " + list.length);
    list.forEach(function (row, i) {
        var c = cells(row), r = l.line[i];
        expect(c[0].slice(0, 20) === r.name.slice(0, 20), "source line " + i);
        if (!l.functions)
            return same(c[2], r.ns, "time of line " + i);
        expect(c[1] === (r.file ? r.file.replace(/^.*\//, "") + ":" + r.line : ""), "the source of " + r.name + ": " + c[1]);
        same(c[3], r.ns, "own time of " + r.name);
    });
}

function proofs() {
    expect(rows("proof").length > 0, "no proof");
    rows("cuts").forEach(function (row, i) {
        var c = cells(row), cut = report.chops[i];
        same(c[4], cut.window.end_ns - cut.window.start_ns, "window of cut " + i);
        var size = report.drawn.sizes[i];
        same(c[6].replace(/^about | uncompressed$/g, ""), size.bytes, "size of cut " + i);
        expect(document.querySelector(".answer").textContent.replace(/\s+/g, " ").indexOf(c[6]) >= 0 || report.chops.length > 1,
            "another size than above: " + c[6]);
    });
    expect(rows("cuts").length === report.chops.length, "cuts: " + rows("cuts").length);
}

/* No two words of a drawing lie over each other, and none sticks out of the page. */
function overlaps(root) {
    drawings(root).forEach(function (svg) {
        var label = svg.getAttribute("aria-label"), boxes = [];
        all("text", svg).forEach(function (t) {
            var b = t.getBoundingClientRect();
            if (!t.textContent || b.width === 0)
                return;
            expect(b.left >= 0 && b.right <= document.documentElement.clientWidth + 1,
                "sticks out: " + t.textContent + " in " + label);
            boxes.forEach(function (o) {
                var x = Math.min(b.right, o.box.right) - Math.max(b.left, o.box.left);
                var y = Math.min(b.bottom, o.box.bottom) - Math.max(b.top, o.box.top);
                expect(x < 1 || y < 2.5, "'" + t.textContent + "' lies over '" + o.text +
                    "' in " + label);
            });
            boxes.push({ box: b, text: t.textContent });
        });
    });
    expect(document.documentElement.scrollWidth <= window.innerWidth,
        "the page is wider than its window: " + document.documentElement.scrollWidth);
    all("figcaption, nav, p, dd, h1, button, .card").forEach(function (e) {
        expect(e.scrollWidth <= e.clientWidth + 1, "cut off: " + e.textContent.slice(0, 40));
    });
    all(".scroll").forEach(function (box) {
        var hint = box.parentNode.querySelector(".sideways");
        expect(box.scrollWidth <= box.clientWidth + 1 || (!hint.hidden && hint.offsetWidth > 0),
            "a table goes on unseen");
        expect(window.innerWidth < 1200 || box.scrollWidth <= box.clientWidth + 1,
            "a table goes on sideways: " + box.textContent.slice(0, 40));
    });
}
