/* Wait states: a kind of waiting, the call paths that it happens on, the ranks that lose time there. */

var waits = data.waits, chosenWait = null;

/* A line of the tree: its metrics, of which parts are not added up again. */
function waitNode(title, depth, metrics, help) {
    return { title: title, depth: depth, metrics: metrics, help: help || "",
        ns: metrics.reduce(function (sum, m) { return sum + m.severity_ns; }, 0) };
}

function waitLeaves(node, list) {
    list.forEach(function (m) {
        node.push(waitNode(m.title + (m.at_most && !/at most/.test(m.title) ? ", at most" : ""),
            m.part_of ? 3 : 2, [m], m.name + ": " + (m.help ? m.help + "; " : "") + plural(m.instances, "call") + ", " +
            percent(m.share) + " of the time"));
    });
}

/* All; groups; kinds; parts of kinds. An upper bound counts nowhere but for itself. */
function waitTree() {
    var sure = waits.metrics.filter(function (m) { return !m.part_of && !m.at_most; });
    var nodes = [waitNode("All waiting", 0, sure)], groups = [];
    waits.metrics.forEach(function (m) {
        if (groups.indexOf(m.group) < 0)
            groups.push(m.group);
    });
    groups.forEach(function (g) {
        nodes.push(waitNode(g, 1, sure.filter(function (m) { return m.group === g; })));
        waitLeaves(nodes, waits.metrics.filter(function (m) { return m.group === g; }));
    });
    return nodes;
}

/* ---- call paths ---- */

function addRanks(to, ns) {
    ns.forEach(function (x, i) { to[i] = (to[i] || 0) + x; });
}

function pathNode(name) {
    return { name: name, ns: 0, calls: 0, ranks: [], below: [] };
}

function pathBelow(node, name) {
    var found = node.below.filter(function (b) { return b.name === name; })[0];
    if (!found)
        node.below.push(found = pathNode(name));
    return found;
}

function addPath(node, p) {
    node.ns += p.severity_ns;
    node.calls += p.instances;
    addRanks(node.ranks, p.ranks_ns);
}

/* What is on no path that is shown: the rest of the metric. */
function addRest(root, m) {
    var rest = { severity_ns: m.severity_ns, instances: m.instances, ranks_ns: m.ranks_ns.slice() };
    m.paths.forEach(function (p) {
        rest.severity_ns -= p.severity_ns;
        rest.instances -= p.instances;
        p.ranks_ns.forEach(function (x, i) { rest.ranks_ns[i] -= x; });
    });
    if (m.paths_all > m.paths.length && rest.severity_ns > 0)
        addPath(pathBelow(root, "other call paths"), rest);
}

/* Paths with the same beginning are one there; what calls one thing alone is one line with it. */
function pathTree(metrics) {
    var root = pathNode("");
    metrics.forEach(function (m) {
        addPath(root, m);
        m.paths.forEach(function (p) {
            var node = root;
            (p.path.length ? p.path : [-1]).forEach(function (i) {
                node = pathBelow(node, i < 0 ? "outside of calls" : waits.names[i]);
                addPath(node, p);
            });
        });
        addRest(root, m);
    });
    return root;
}

function mostFirst(a, b) {
    return b.ns - a.ns;
}

function pathLines(node, depth, out) {
    node.below.sort(mostFirst).forEach(function (b) {
        var names = [b.name];
        while (b.below.length === 1 && b.below[0].ns === b.ns)
            names.push((b = b.below[0]).name);
        out.push({ title: names.join("/"), depth: depth, ns: b.ns, calls: b.calls, ranks: b.ranks });
        pathLines(b, depth + 1, out);
    });
    return out;
}

/* ---- the three lists ---- */

function waitRow(line, most, act) {
    var b = make("button", { type: "button", "class": "row", title: line.help || line.title, "aria-pressed": "false" },
        make("span", { "class": "size" }, meter(line.ns / (most || 1))), make("span", { "class": "n" }, time(line.ns)),
        make("span", { "class": "what", style: "padding-left: " + 14 * Math.min(10, line.depth) + "px" }, short(line.title, 120)));
    b.addEventListener("click", act);
    return make("li", {}, b);
}

/* A list of lines, of which one is chosen; choose(line) is told. */
function WaitList(title, choose) {
    this.choose = choose;
    this.list = make("ul", { "class": "rows" });
    this.box = make("div", { "class": "waitlist" }, make("h3", {}, title), this.list);
}

WaitList.prototype.show = function (lines, most, chosen) {
    var self = this;
    this.list.textContent = "";
    lines.forEach(function (line) {
        put(self.list, [waitRow(line, most, function () { self.pick(line); })]);
    });
    this.lines = lines;
    this.pick(chosen);
};

WaitList.prototype.pick = function (line) {
    var at = this.lines.indexOf(line);
    all("button", this.list).forEach(function (b, i) {
        b.setAttribute("aria-pressed", String(i === at));
    });
    this.choose(line);
};

function waitRanks(i) {
    var first = i * waits.ranks_each, last = Math.min(waits.ranks, first + waits.ranks_each) - 1;
    return last > first ? "ranks " + first + "\u2013" + last : "rank " + first;
}

function rankLines(ranks) {
    return ranks.map(function (ns, i) { return { title: waitRanks(i), depth: 0, ns: ns }; });
}

/* ---- iterations ---- */

/* Severity of a column, ns an iteration. */
function columnValue(k) {
    var it = waits.iterations, count = it.number[3 * k + 1] - it.number[3 * k] + 1;
    return chosenWait.metrics.reduce(function (sum, m) {
        return sum + (it.ns[m.name] ? it.ns[m.name][k] : 0);
    }, 0) / count;
}

function waitsInIterations() {
    var ns = waits.iterations.ns;
    return Object.keys(ns).some(function (name) { return ns[name].some(function (x) { return x > 0; }); });
}

function columnWords(k) {
    var number = waits.iterations.number, first = number[3 * k], last = number[3 * k + 1];
    return (last > first ? "iterations " + first + "-" + last : "iteration " + first) + ": " + chosenWait.title +
        " " + time(columnValue(k)) + (last > first ? " each in the mean" : "") +
        (number[3 * k + 2] ? "; disturbed" : "");
}

function drawWaits(plot) {
    var number = waits.iterations.number, k, y;
    for (k = 0; 3 * k < number.length; k++) {
        if (!plot.sees(number[3 * k], number[3 * k + 1] + 1))
            continue;
        y = plot.y(columnValue(k) / plot.o.up.by);
        plot.rect(number[3 * k], number[3 * k + 1] + 1, y, plot.top + plot.height - y,
            "iteration" + (number[3 * k + 2] ? " disturbed" : ""), 1);
    }
}

function waitsInOpenmp() {
    return waits.metrics.some(function (m) { return m.group === "OpenMP"; });
}

/* The axis goes up to the most of what is chosen. */
function scaleWaits(up) {
    var most = 0, k, u;
    for (k = 0; 3 * k < waits.iterations.number.length; k++)
        most = Math.max(most, columnValue(k));
    u = unitOf(most, TIMES);
    up.by = u[1];
    up.high = most > 0 ? most * 1.06 / u[1] : 1;
    up.title = (chosenWait.depth === 0 && waitsInOpenmp() ? "All waiting in MPI" : chosenWait.title) + ", of all ranks (" + u[0] + ")";
}

function waitsPlot() {
    var it = waits.iterations, number = it.number, last = number[number.length - 2];
    var disturbed = number.some(function (x, i) { return i % 3 === 2 && x; });
    return new Plot({
        title: "Waiting in each iteration", kind: "waiting", axis: "count", across: "Iteration", from: number[0],
        to: last + 1, height: 120, up: { low: 0, high: 1, by: 1, title: "" },
        note: "Of what is chosen above, all ranks together" + (it.each > 1 ? "; up to " + it.each +
            " iterations share a column, with their mean" : "") + "." + (disturbed ? " Hatched: disturbed." : "") +
            (waitsInOpenmp() ? " Waiting in OpenMP is told of the whole run only." : ""),
        draw: drawWaits,
        tell: function (x) {
            var k;
            for (k = 0; 3 * k < number.length; k++)
                if (x >= number[3 * k] && x < number[3 * k + 1] + 1)
                    return columnWords(k);
            return "";
        }
    });
}

/* ---- the longest ---- */

function pathText(path) {
    return path.map(function (i) { return waits.names[i]; }).join("/");
}

function waitTitle(name) {
    var m = waits.metrics.filter(function (o) { return o.name === name; })[0];
    return m ? m.title : name;
}

/* A window around a wait, as long again before and behind it. */
function cutWait(w) {
    var long = w.end_ns - w.begin_ns, typed = prvcut("cut --from " + Math.max(0, w.begin_ns - long) + "ns --to " +
        Math.min(report.structure.end_ns, w.end_ns + long) + "ns");
    return typed ? copyButton(typed) : "";
}

function longestTable() {
    return waits.longest.length === 0 ? null : table("longest", "The longest waits", [
        { name: "Lost", kind: "n", of: function (w) { return time(w.severity_ns); } },
        { name: "Kind", head: true, of: function (w) { return waitTitle(w.metric); } },
        { name: "Rank", kind: "n", of: function (w) { return w.rank; } },
        { name: "At", kind: "n", of: function (w) { return at(w.begin_ns, (w.end_ns - w.begin_ns) / 10); } },
        { name: "For rank", kind: "n", of: function (w) { return w.cause_rank; } },
        { name: "Call path", kind: "why", of: function (w) { return short(pathText(w.path), 160); } },
        { name: "Cut it", kind: "act", of: cutWait }
    ], waits.longest);
}

/* ---- whose doing ---- */

function pathOr(path) {
    return path.length ? short(pathText(path), 160) : "outside of calls";
}

/* What waits are to blame on: at once, and by what made others wait before. */
function causesTable() {
    var sum = 0, later = 0;
    waits.delays.forEach(function (d) {
        sum += d.short_ns + d.long_ns;
        later += d.long_ns;
    });
    return waits.costs.length === 0 ? [] : [table("causes", "Whose doing it is", [
        { name: "Costs", kind: "n", of: function (c) { return time(c.short_ns + c.long_ns); } },
        { name: "At once", kind: "n", of: function (c) { return time(c.short_ns); } },
        { name: "Later", kind: "n", of: function (c) { return time(c.long_ns); } },
        { name: "Waiting", head: true, of: function (c) { return waitTitle(c.metric); } },
        { name: "Rank", kind: "n", of: function (c) { return c.rank; } },
        { name: "What it did longer", kind: "why", of: function (c) { return pathOr(c.path); } }
    ], waits.costs), explain("Who came late did something longer than those who waited: that is to blame, in all for " +
        time(sum) + ", of which " + time(later) + " by waits that it caused first. Of the whole run.")];
}

/* The critical path: what is on it alone shortens the run. */
function criticalTable() {
    var c = waits.critical;
    if (c.reason)
        return [explain("The critical path is not told: " + c.reason + ".")];
    return c.parts.length === 0 ? [] : [table("critical", "The critical path", [
        { name: "On it", kind: "n", of: function (p) { return time(p.ns); } },
        { name: "Share", kind: "n", of: function (p) { return percent(p.ns / c.ns); } },
        { name: "Rank", kind: "n", of: function (p) { return p.rank; } },
        { name: "Imbalance", kind: "n", of: function (p) { return p.over_ns === null ? "" : time(p.over_ns); } },
        { name: "Call path", kind: "why", of: function (p) { return pathOr(p.path); } }
    ], c.parts), explain("Its length is " + time(c.ns) + ", with " + plural(c.steps, "step") + " between ranks; only what is on it " +
        "shortens the run. Imbalance: how much more of the call path is on it, on all ranks, than a rank has in the mean.")];
}

/* ---- all of it ---- */

/* "70000001:3": what the trace has no label for is called by its event type and value. */
function isBareNumber(name) {
    return /^\d+(:-?\d+)?$/.test(name);
}

/* Numbers in place of names are explained. */
function bareWords(names) {
    var bare = names.filter(isBareNumber).length;
    return !bare ? "" : bare === names.length ?
        "The trace has no labels for functions and calls, so call paths are numbers: event type:value, as recorded. " +
            "A Paraver trace has them in a file beside it." :
        "Functions that the trace has no label for are called by their number: event type:value, as recorded.";
}

/* "late sender", "wrong order (same source)": a title inside a sentence. */
function titleInside(title) {
    return title.replace(/^[A-Z](?=[a-z]+\b)/, function (a) { return a.toLowerCase(); }).replace(/, (.*)$/, " ($1)");
}

/* What waits says, kinds by their titles in place of the names that its tables and files have. */
function waitsByTitle() {
    return waits.said.replace(/(^|\s)(\w+)(?![\w/])/g, function (all, before, word) {
        return before + (Object.prototype.hasOwnProperty.call(waits.titles, word) ? titleInside(waits.titles[word]) : word);
    });
}

function waitsSaid() {
    return waitsByTitle().split("\n").filter(Boolean).map(function (line, i) {
        return i === 0 ? para(line + ".") : explain(capital(line) + ".");
    });
}

/* A metric chooses what paths there are, a path what ranks. */
function waitLists(plot) {
    var ranks = new WaitList("By rank", function () {});
    var paths = new WaitList("By call path", function (line) {
        ranks.show(rankLines(line.ranks), Math.max.apply(null, line.ranks), null);
    });
    var kinds = new WaitList("By kind", function (node) {
        var tree = pathTree(node.metrics), lines = pathLines(tree, 1, []);
        chosenWait = node;
        lines.unshift({ title: "All call paths", depth: 0, ns: tree.ns, calls: tree.calls, ranks: tree.ranks });
        paths.show(lines, tree.ns, lines[0]);
        if (plot) {
            scaleWaits(plot.o.up);
            plot.draw();
        }
    }), nodes = waitTree();
    chosenWait = nodes[0];
    kinds.show(nodes, nodes[0].ns || nodes[nodes.length - 1].ns, nodes[0].metrics.length ? nodes[0] : nodes[1]);
    return make("div", { "class": "waitlists" }, kinds.box, paths.box, ranks.box);
}

function waitsPart() {
    var plot, lists;
    if (!waits)
        return null;
    if (waits.metrics.length === 0)
        return waitsSaid();
    plot = waits.iterations && waitsInIterations() ? waitsPlot() : null;
    lists = waitLists(plot);
    return [waitsSaid(), bareWords(waits.names) ? para(bareWords(waits.names)) : null, lists, explain("Choose a kind of waiting to see the call paths, and a path to see the ranks. " +
        "What is indented is part of what it stands under." + (waits.iterations && !plot ? " None of it is in an iteration." : "")),
        plot && plot.figure, longestTable()].concat(causesTable(), criticalTable());
}
