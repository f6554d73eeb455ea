/* How well processors are used: a card for the run, and one for each cut. */

/* What a factor is part of is in front of fewer blanks; hybrid: where tasks have several threads. */
var FACTORS = [
    { name: "Parallel efficiency", key: "parallel", level: 0, is: "computing, of all threads' time" },
    { name: "Load balance", key: "balance", level: 1, is: "mean computing / most computing of a thread" },
    { name: "Communication efficiency", key: "communication", level: 1, is: "most computing / runtime" },
    { name: "Serialization", key: "serialization", level: 2,
        is: "most computing / runtime on a network that takes no time: what waiting for others costs" },
    { name: "Transfer", key: "transfer", level: 2,
        is: "runtime on that network / runtime: what the network costs, and all else" },
    { name: "Process level", key: "process_parallel", level: 1, hybrid: true,
        is: "with each process as its thread that computes most" },
    { name: "Thread level", key: "thread_parallel", level: 1, hybrid: true, is: "what is lost inside processes" }
];

function efficiencyReason(e, key) {
    var found = e.reasons.filter(function (r) { return r.what === key; })[0];
    return found ? found.text : "not told";
}

function factorLine(e, f) {
    var x = e.factors[f.key];
    return make("tr", { "class": "l" + (f.level + 1), title: f.name + ": " + f.is },
        make("th", { scope: "row" }, f.name),
        isNumber(x) ? [make("td", { "class": "n" }, percent(x)), make("td", { "class": "bar" }, meter(x))] :
            make("td", { "class": "why", colspan: 2 }, "\u2013 " + efficiencyReason(e, f.key)));
}

/* The part that costs most, of those that have no parts, or whose parts are not known. */
function worstFactor(e) {
    var parts = isNumber(e.factors.serialization) ? ["balance", "serialization", "transfer"] :
        ["balance", "communication"];
    return FACTORS.filter(function (f) {
        return parts.indexOf(f.key) >= 0 && isNumber(e.factors[f.key]);
    }).sort(function (a, b) { return e.factors[a.key] - e.factors[b.key]; })[0];
}

/* "communication", as the command calls it */
function lostBy(factor) {
    return "; most is lost by " + factor.name.toLowerCase().replace(" efficiency", "");
}

/* What counters tell of computing; null: there are none. */
function countedWords(e) {
    var ipc = e.factors.ipc, ghz = e.factors.frequency_ghz;
    return isNumber(ipc) || isNumber(ghz) ? make("p", { "class": "more" }, "While computing: " + [
        isNumber(ipc) ? ipc.toFixed(2) + " instructions a cycle" : "", isNumber(ghz) ? ghz.toFixed(2) + " GHz" : ""
    ].filter(Boolean).join(", ") + ".") : null;
}

function efficiencyCard(title, e) {
    var worst = worstFactor(e), whole = e.factors.parallel;
    return make("div", { "class": "card" }, make("h3", {}, title + (e.applications > 1 ?
        ", application " + e.application + " of " + e.applications : "")),
        make("p", { "class": "figure" }, (e.lower_bound ? "at least " : "") + percent(whole)),
        make("p", { "class": "more" }, !isNumber(whole) ? "Nothing tells it: " + efficiencyReason(e, "parallel") :
            "of " + time(e.runtime_ns) + (e.threads > 1 ? " on " + plural(e.threads,
            e.threads > e.tasks ? "thread" : caller()) : "") + " is computing" +
            (worst && e.factors[worst.key] < 0.995 && !e.lower_bound ? lostBy(worst) : "")),
        make("table", {}, make("tbody", {}, FACTORS.filter(function (f) {
            return !f.hybrid || e.threads > e.tasks;
        }).map(function (f) { return factorLine(e, f); }))),
        countedWords(e),
        e.notes.map(function (note) { return make("p", { "class": "more" }, "Note: " + note + "."); }));
}

function efficiencyPart() {
    var cards = [];
    if (report.efficiency)
        cards.push(efficiencyCard("The run", report.efficiency));
    data.others_efficiency.slice(0, 4).forEach(function (e) { cards.push(efficiencyCard("The run", e)); });
    cuts.forEach(function (c) {
        if (c.efficiency && cards.length < 17)
            cards.push(efficiencyCard(cutHeading(c) +
                (cutNumbers(c) ? ", " + (c.window.iterations > 1 ? "iterations " : "iteration ") +
                    cutNumbers(c) : ""), c.efficiency));
    });
    return cards.length === 0 ? null : [make("div", { "class": "cards" }, cards),
        explain("A product: what is indented makes up what it stands under. " +
            (loop && cuts.length ? "Start and end of a run hide its loop, so look at the cut. " : "") + "A factor above 100 % comes from ranks that do not begin together." +
            (report.efficiency && report.efficiency.threads > report.efficiency.tasks ?
                " Process level times thread level is the parallel efficiency once more." : ""))];
}

