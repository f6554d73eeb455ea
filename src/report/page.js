/* The page: the verdict, what was written, the parts in their order. */

/* ---- the verdict ---- */

var VERDICTS = { typical: "good", ordinary: "fair", few: "fair", unusual: "bad" };

/* As the text says it: "no share of time is off by more than 0.2 points", or first the efficiency that
   is off by more */
function wellWords(proof) {
    var worst = 0.1, factor = null;
    function off(row) {
        return 100 * Math.abs(row.chop - row.region);
    }
    proof.rows.forEach(function (row) {
        if (row.unit === "share" && row.group !== "efficiency")
            worst = Math.max(worst, off(row));
        else if (row.unit === "share" && (!factor || off(row) > off(factor)))
            factor = row;
    });
    return !proof.rows.length ? "" : factor && off(factor) >= worst + 0.05 ?
        factor.name + " is off by " + off(factor).toFixed(1) + " points, no share of time by more than " +
        worst.toFixed(1) : "no share of time is off by more than " + worst.toFixed(1) + " points";
}

/* Computing is all that is outside MPI, unless the states say that threads do much else there. */
function outsideName(proof) {
    var is = {};
    proof.rows.forEach(function (row) {
        if (row.unit === "share" && !(row.name in is))
            is[row.name] = row.chop;
    });
    return is["outside MPI"] - is.Running > 0.1 * is.Running ? "outside MPI" : "computing";
}

/* What decides the verdict: the report has it first. "MPI_Send: 23.6 % here, 41.0 % there" */
function worstWords(proof) {
    var row = proof.rows[0];
    return row ? (row.name === "outside MPI" ? outsideName(proof) : short(row.name, 40)) + " " +
        quantity(row, row.chop) + (/\/iteration$/.test(row.unit) ? " an iteration" : "") + " here, " +
        quantity(row, row.region) + " there (" + errorWords(row) + ")" : "";
}

/* "its iterations are 911 % longer than the median"; where lengths decide. */
function lengthWords(cut) {
    return "its iterations are " + Math.abs(100 * cut.longer).toFixed(0) + " % " +
        (cut.longer > 0 ? "longer" : "shorter") + " than the median";
}

function usualWords(worst, value) {
    return worst.quantity === "length" ? time(value) : worst.quantity === "bytes" ? size(value) :
        worst.quantity === "instructions" ? value.toPrecision(3) : percent(value);
}

/* "MPI_Recv 37 %, usually 31 % in 231 windows"; what is furthest from the usual. */
function besideWords(cut) {
    var w = cut.worst, name = w.quantity === "call" ? short(w.call, 40) :
        w.quantity === "useful share" ? outsideName(cut.proof) : w.quantity;
    return name + " " + usualWords(w, w.value) + ", usually " + usualWords(w, w.usual) +
        (w.callers ? ", of the " + w.callers + " threads that make calls," : "") + " in " + cut.windows + " windows" + (cut.proof.verdict === "doubtful" ?
        "; the sum of all differs: " + worstWords(cut.proof) : "");
}

function reasonWords(cut) {
    if (cut.worst)
        return besideWords(cut);
    if (cut.verdict === "unusual" && cut.proof.verdict !== "doubtful")
        return lengthWords(cut);
    return cut.proof.verdict === "faithful" ? wellWords(cut.proof) : worstWords(cut.proof);
}

var MEANT = {
    typical: "What is read off the cut holds for all of it.",
    ordinary: "Read it with that difference in mind.",
    few: "There are few iterations to compare it with.",
    unusual: "Do not draw conclusions from this cut; look at the lengths below for a better one."
};

/* What is typical of the windows one by one need not be so of their sum: few long ones can decide that, and each may
   be slow on another rank. */
function meantWords(cut) {
    var row = cut.proof.rows && cut.proof.rows[0], why = "windows unlike the others decide the sum";
    if (row && row.name === "load balance")
        why = row.region > row.chop ? "the imbalance wanders, in all of it the ranks come closer to one another" :
            "some are less balanced";
    return cut.verdict !== "unusual" && cut.proof.verdict === "doubtful" ?
        "What is read off the cut holds for most of it, but not for that: " + why + "." : MEANT[cut.verdict];
}

var CALLED = { typical: "The cut is typical of ", ordinary: "The cut is ordinary for ",
    few: "The cut is one of few in ", unusual: "The cut is NOT typical of " };

/* Of a cut that is compared with a loop of several kinds: which it holds. */
function heldWords(cut) {
    var held = cut.holds_kinds, share = 0;
    if (cut.of_kind || !held.length)
        return "";
    held.forEach(function (k) { share += report.kinds[k - 1].share; });
    return " of kind" + (held.length > 1 ? "s " : " ") + joined(held) + " of " + report.kinds.length +
        " (" + percent(share) + " of the loop's time)";
}

/* Which kinds the cut does not tell of, and what cuts each. */
function unheldWords(cut) {
    var others = report.kinds.map(function (k, i) { return i + 1; }).filter(function (k) {
        return cut.holds_kinds.indexOf(k) < 0;
    });
    var names = others.map(function (k) {
        return "kind " + k + " (" + plural(report.kinds[k - 1].iterations, "iteration") + ", median " +
            time(report.kinds[k - 1].median_ns) + ")";
    });
    return others.length ? "It tells nothing of " + joined(names) + "." :
        "What is read off it is of all kinds together, not of each.";
}

/* What its verdict is beside, of a cut that is told beside its kind alone. */
function besideKind(cut) {
    return "kind " + cut.beside_kind + " of " + report.kinds.length + " (" +
        percent(report.kinds[cut.beside_kind - 1].share) + " of the loop's time)";
}

/* Of the iterations of its loop that a cut is compared with. */
function clearShare(cut) {
    return cut.stands_for === "loop" && cut.weight && report.loop_iterations ? cut.weight / report.loop_iterations : 1;
}

/* Kind, what, the number and the reason, the consequence. */
function verdict() {
    var kind = cuts.length && cuts[0].proof ? VERDICTS[cuts[0].verdict] : null;
    if (!loop)
        return ["none", "No loop was found", report.reason, "Nothing was cut; see what can be tried below."];
    if (!kind)
        return ["none", cuts.length ? "The cut was not compared with its loop" : "Nothing was cut",
            isNumber(report.confidence) ? "sure of the loop: " + report.confidence.toFixed(2) : "", ""];
    if (cuts[0].beside_kind)
        return [kind === "good" ? "fair" : kind, CALLED[cuts[0].verdict] + besideKind(cuts[0]), reasonWords(cuts[0]),
            (meantWords(cuts[0]) === MEANT.typical ? "" : meantWords(cuts[0]) + " ") + unheldWords(cuts[0]), "--kinds"];
    if (heldWords(cuts[0]))
        return [kind === "good" && data.kinds_differ && cuts[0].holds_kinds.length < report.kinds.length ? "fair" : kind, CALLED[cuts[0].verdict].replace("The cut", "The cut," +
            heldWords(cuts[0]) + ",") + wholeOf(cuts[0]), reasonWords(cuts[0]), (meantWords(cuts[0]) === MEANT.typical ? "" :
            meantWords(cuts[0]) + " ") + unheldWords(cuts[0]), "--kinds"];
    if (clearShare(cuts[0]) < data.clear_most)
        return [kind === "good" ? "fair" : kind, CALLED[cuts[0].verdict] + "the clear " + percent(clearShare(cuts[0])) +
            " of " + wholeOf(cuts[0]), reasonWords(cuts[0]), meantWords(cuts[0]) === MEANT.typical ?
            "What is read off the cut holds for these iterations, not for the disturbed ones." : meantWords(cuts[0])];
    return [kind, CALLED[cuts[0].verdict] + wholeOf(cuts[0]), reasonWords(cuts[0]), meantWords(cuts[0])];
}

function unsure() {
    return loop && isNumber(report.confidence) && report.confidence < 0.7 ?
        " The loop itself is uncertain: sure " + report.confidence.toFixed(2) + " of 1." : "";
}

function putVerdict() {
    var v = verdict(), box = document.getElementById("verdict"), typed = v[4] ? cutAgain(v[4]) : null;
    box.className = "verdict " + v[0];
    put(box, [make("b", {}, v[1] + (v[2] ? ": " : ".")), v[2] ? make("span", {}, v[2] + ".") : "",
        v[3] || unsure() ? make("span", { "class": "so" }, [" " + v[3] + unsure(), typed ? " A cut of each kind: " : "",
            typed ? command(typed) : ""]) : ""]);
}

/* What the report gives to type: [what for, the command]. */
var nexts = [];

/* "or a page: prvcut --report lu.html lu.prv": what can be typed is told from what is said. */
function nextPiece(text) {
    var m = new RegExp("^(.*?)((?:" + (data.viewer ? data.viewer + "|" : "") + "prvcut) .*)$").exec(text);
    if (!m)
        return text + " ";
    nexts.push([m[1], m[2]]);
    return [m[1], command(m[2]), " "];
}

/* What the report gives to type gets a button. */
function putCopyButtons() {
    all("header .said dt").forEach(function (dt) {
        var dd = dt.nextElementSibling, text = dd.textContent;
        if (dt.textContent !== "Next")
            return;
        dd.textContent = "";
        put(dd, text.split("\n").map(function (line) {
            return make("div", {}, line.split(/ {2,}/).map(nextPiece));
        }));
    });
}

/* ---- what was written, and how ---- */

function filesPart() {
    return cuts.length === 0 ? null : table("cuts", report.dry_run ? "What would be written: Next, at the top, has the command" :
        "What was written", [
        { name: "Cut", head: true, of: cutTitle },
        { name: "Region", of: function (c) { return regionOfCut(c) ? regionName(regionOfCut(c)) : ""; } },
        { name: "Iterations", of: function (c) {
            return cutNumbers(c) || plural(c.window.iterations, "iteration");
        } },
        { name: "From", kind: "n", of: function (c) {
            return at(c.window.start_ns, (c.window.end_ns - c.window.start_ns) / 100);
        } },
        { name: "Window", kind: "n", of: function (c) { return time(c.window.end_ns - c.window.start_ns); } },
        { name: "Alike", kind: "n", of: function (c) {
            return isNumber(c.window.similarity) ? c.window.similarity.toFixed(2) : null;
        } },
        { name: "Size", kind: "n", of: function (c) {
            var s = data.sizes[cuts.indexOf(c)];
            return (s.about ? "about " : "") + size(s.bytes) + (s.uncompressed ? " uncompressed" : "");
        } },
        { name: "Files", kind: "files", of: function (c) {
            return c.output.map(function (file) { return make("div", {}, make("code", {}, file.path)); });
        } },
        { name: "Why these", kind: "why", of: function (c) { return c.window.why; } }
    ], cuts.slice(0, 60));
}

function aboutPart() {
    var i = report.input, k = report.clocks, list = make("dl", { "class": "about" });
    function line(name, value) {
        if (value)
            put(list, [make("dt", {}, name), make("dd", {}, value)]);
    }
    line("Command", report.command && command(report.command));
    line("Program", report.program);
    line("Trace", make("code", {}, i.path || ""));
    line("Holds", i.format + ", " + size(i.bytes) + ", " + plural(i.tasks, "rank") + ", " +
        plural(i.threads, "thread") + ", " + time(i.duration_ns) + "; " + plural(i.states, "state") + ", " +
        plural(i.events, "event") + ", " + plural(i.messages, "message"));
    line("Damaged", i.skipped ? plural(i.skipped, "record") + " skipped" : "");
    line("Clocks", k && k.skewed ? "of the ranks were " + time(k.spread_ns) + " apart; brought together by " +
        k.source + " to within " + time(k.doubt_ns) : "");
    line("Archive", report.archive && make("code", {}, report.archive));
    report.notes.forEach(function (note) { line("Note", note); });
    return [list, explain("The same numbers for programs: the JSON in this file's element \u201creport\u201d is " +
        "what the command that made the page prints as JSON, " + (report.abridged ? "its lists shortened to " +
        whole(report.abridged) + " items, " : "") + "and \u201cdrawn\u201d, which is the page's own.")];
}

/* ---- all of it ---- */

/* Drawings fit where they are seen; root: what has become visible, or all. */
function drawAll(root) {
    plots.forEach(function (p) { p.fit(); });
    showOverflow(root);
}

function putHead() {
    var h1 = document.querySelector("h1");
    h1.parentNode.insertBefore(make("div", { "class": "corner" }, helpButton(), themeButton()), h1);
}

document.body.id = "top";
putHead();
putVerdict();
putCopyButtons();
section("lengths", "Iterations in their order", lengthsPart);
tab("Timelines");
section("timeline", "What the ranks did", timelinePart);
tab("Iterations");
section("iterations", "How long iterations take", iterationsPart);
section("heat", "Who computes how long", heatPart);
tab("Time");
section("time", "Where the time goes", timePart);
section("lines", "Source lines", linesPart);
tab("Efficiency");
section("efficiency", "Efficiency", efficiencyPart);
tab("Waits");
section("waits", "Wait states", waitsPart);
tab("Messages");
section("comm", "Who sends to whom", commPart);
tab("Run");
section("run", "Run", runPart);
section("structure", "Structure", structurePart);
tab(loop ? "Why this loop" : "Why no loop");
section("why", loop ? "Why this loop" : "Why no loop", whyPart);
section("proof", "What the cut stands for", proofPart);
/* Of a run that nothing was cut from there are no files but the trace. */
tab(cuts.length ? "Files" : "About");
section("cuts", "Files", filesPart);
section("about", "About", aboutPart);
putTabs();
putFirst();
drawAll();
openTab(loop && tabs[0] ? tabs[0].id : "why", false);
if (shots[0])
    showShot(shots[0]);
listenKeys();
window.addEventListener("resize", function () { drawAll(); });
window.addEventListener("hashchange", followLink);
followLink();
