/* The first screen: what was found, in a line each, with links to the tabs that tell more. */

/* Where more is told of a line of the report. */
var MORE = { Loop: "why", Kinds: "iterations", Disturbed: "run", Sure: "why", Cut: "timeline", "Stands for": "proof",
    Time: "time", "Why slow": "iterations", "Why quick": "iterations", Efficiency: "efficiency", Waits: "waits", Clocks: "about",
    Applications: "comm" };

function saidLine(name) {
    return all("header .said dt").filter(function (dt) { return dt.textContent === name; });
}

/* Lines of the report have an order; what it lacks stands behind one of them, or before what there is to
   type. */
function sayLine(name, words, behind) {
    var list = document.querySelector("header .said"), before = behind && saidLine(behind)[0];
    var next = before ? before.nextElementSibling.nextElementSibling : saidLine("Next")[0] || null;
    if (!words || !list || saidLine(name).length)
        return;
    list.insertBefore(make("dt", {}, name), next);
    list.insertBefore(make("dd", {}, words), next);
}

/* "kind 1: 33 iterations of 24.5ms to 73.0ms, 37.6 % of the loop's time; kind 2: ..." */
function kindsWords() {
    if (!loop || report.kinds.length < 2)
        return loop && report.kinds.length ? "one: the lengths do not fall into groups" : "";
    return report.kinds.map(function (k, i) {
        return "kind " + (i + 1) + ": " + plural(k.iterations, "iteration") + (isNumber(k.shortest_ns) ? " of " +
            time(k.shortest_ns) + " to " + time(k.longest_ns) : "") + ", " + percent(k.share) + " of the loop's time";
    }).join("; ");
}

function slowest(list) {
    return list.slice().sort(function (a, b) { return b.mean - a.mean; })[0];
}

/* Of the slowest one whose cause is known; one that is as long as others, or shorter, is not slow, nor one of a quick
   kind, though it is long for that. */
function slowWords() {
    var explained = slowest(iterations.filter(function (it) {
        return it.unusual && it.unusual.cause && it.mean > middle && !/^(as long as|\S+ shorter than) /.test(it.unusual.cause);
    }));
    var it = slowest(iterations.filter(function (it) { return !it.disturbed; })), typed;
    if (explained && (!it || it.count > 1 || it.mean < 1.05 * explained.mean))
        return iterationName(explained) + ": " + explained.unusual.cause;
    if (!it || it.count > 1)
        return "";
    typed = it.mean > 1.05 * middle && whyAgain(it.n);
    return [(iterations.some(function (o) { return o.unusual; }) ? "" : "no iteration is unusual " + unusualBeside(false) + "; ") +
            iterationWords(it, middle).replace(/^(iteration \d+): /, "the slowest, $1: "), typed ? "; why it is: " : "",
        typed ? command(typed) : ""];
}

/* "6.5 % of the run is computing; most is lost by transfer, whose factor is 12.9 %"; "6.5 % of application 1 of 2 is ...; of application
   2 9.1 %" */
function efficiencyWords() {
    var e = report.efficiency, worst = e && worstFactor(e);
    var others = data.others_efficiency.slice(0, 3).map(function (o) {
        return "; of application " + o.application + " " +
            (isNumber(o.factors.parallel) ? percent(o.factors.parallel) : "it is not told");
    }).join("");
    return !e ? "" : (e.lower_bound ? "at least " : "") + percent(e.factors.parallel) + " of " +
        (e.applications > 1 ? "application " + e.application + " of " + e.applications : "the run") + " is computing" +
        (e.lower_bound ? "; much of the time is in no recorded state" : worst && e.factors[worst.key] < 0.995 ?
            lostBy(worst) + ", whose factor is " + percent(e.factors[worst.key]) : "") + others;
}

/* "2 in this trace, of 8 ranks together: application 1 of 4 ranks; application 2 of 4 ranks" */
function applicationsWords() {
    var n = report.input.applications, each = n > 1 ? (data.comm || []).filter(function (m) { return isNumber(m.application); }) : [];
    return !(n > 1) ? "" : n + " in this trace, of " + plural(report.input.tasks, "rank") + " together" + (each.length === n ? ": " +
        each.map(function (m) { return "application " + m.application + " of " + plural(m.ranks, "rank"); }).join("; ") : "");
}

/* As waits says it first, without the trace's name, kinds by their titles. */
function waitsWords() {
    var words = waits ? waitsByTitle().split("\n")[0] : "", name = report.input.name + ": ";
    var lost = report.notes.filter(function (n) { return /^who waits is not told/.test(n); })[0];
    if (words.indexOf(name) === 0)
        words = words.slice(name.length);
    if (words && waits && / at \d+:/.test(words))
        words += " (numbers, as the trace has no labels)";
    return words || lost || "";
}

function putLinks() {
    all("header .said dt").forEach(function (dt) {
        var id = MORE[dt.textContent], name = dt.textContent;
        if (!id || !document.getElementById(id))
            return;
        dt.textContent = "";
        put(dt, [make("a", { href: "#" + id }, name)]);
    });
}

/* After the parts are there, for it says what they found. */
function putFirst() {
    /* A cut may hold one that is quicker than others. */
    saidLine("Why").forEach(function (dt) {
        dt.textContent = / shorter than the median/.test(dt.nextElementSibling.textContent) ? "Why quick" : "Why slow";
    });
    sayLine("Applications", applicationsWords(), "Loop");
    sayLine("Kinds", kindsWords(), "Loop");
    sayLine("Why slow", slowWords());
    sayLine("Efficiency", efficiencyWords());
    sayLine("Waits", waitsWords());
    putLinks();
}
