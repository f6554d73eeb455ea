/* What threads did in the cut, in the slowest iteration, in one of each kind: one is seen at a time. */

/* ---- the timeline ---- */

/* Pieces of a row: from, to (ns), state; part: nothing is recorded of most of that time; several: the state
   begins more than once in it, with less between than can be drawn. */
function unfold(t) {
    var width = (t.end_ns - t.start_ns) / t.columns;
    t.rows.forEach(function (r) {
        var at = 0, i;
        r.pieces = [];
        for (i = 0; i < r.runs.length; i += 2) {
            if (r.runs[i])
                r.pieces.push({ from: t.start_ns + at * width, to: t.start_ns + (at + r.runs[i + 1]) * width,
                    state: Math.abs(r.runs[i]) - 1, part: r.runs[i] < 0,
                    several: r.several.indexOf(i / 2) >= 0 });
            at += r.runs[i + 1];
        }
    });
    t.width = width;
    t.sent = [];
    for (var i = 0; i < t.messages.length; i += 5)
        t.sent.push({ from: t.messages[i], to: t.messages[i + 1], send: t.start_ns + t.messages[i + 2],
            receive: t.start_ns + t.messages[i + 3], bytes: t.messages[i + 4] });
}

/* A path a state: thousands of pieces are few elements. */
function drawStates(plot, t, tall, part) {
    var paths = t.states.map(function () { return ""; }), high = tall > 4 ? tall - 2 : tall;
    t.rows.forEach(function (r, row) {
        var y = (plot.top + row * tall + tall / 2).toFixed(1);
        r.pieces.forEach(function (p) {
            if (p.part === part && plot.sees(p.from, p.to))
                paths[p.state] += "M" + plot.near(p.from).toFixed(1) + " " + y + "H" + plot.near(p.to).toFixed(1);
        });
    });
    paths.forEach(function (d, state) {
        var e = plot.path(part ? "state part" : "state", d), alone = t.alone === undefined || t.alone === null ||
            t.alone === state;
        if (!e)
            return;
        e.setAttribute("stroke", t.states[state].colour);
        e.setAttribute("stroke-width", part ? Math.max(1, high / 4) : high);
        if (!alone)
            e.setAttribute("stroke-opacity", 0.12);
    });
}

/* Is something drawn thin? */
function hasParts(t) {
    return t.rows.some(function (r) { return r.pieces.some(function (p) { return p.part; }); });
}

/* Letters that can be read on a colour. */
function onColour(colour) {
    var c = channels(colour);
    return c[0] * 30 + c[1] * 59 + c[2] * 11 > 14000 ? "#000" : "#fff";
}

/* Colours may be alike, and not all see all: long pieces bear their names. */
function nameStates(plot, t, tall) {
    if (tall < 14)
        return;
    t.rows.forEach(function (r, row) {
        r.pieces.forEach(function (p) {
            var name = t.states[p.state].name, x0, x1;
            if (p.part || !plot.sees(p.from, p.to) || name.length > 30)
                return;
            x0 = Math.max(plot.left, plot.x(p.from));
            x1 = Math.min(plot.left + plot.across, plot.x(p.to));
            if (x1 - x0 > name.length * 6.6 + 10)
                plot.word(x0 + 4, plot.top + row * tall + tall / 2 + 4, name, "state")
                    .style.fill = onColour(t.states[p.state].colour);
        });
    });
}

function drawMessages(plot, t, tall) {
    var d = "", shown = 0;
    t.sent.forEach(function (m) {
        if (!plot.sees(Math.min(m.send, m.receive), Math.max(m.send, m.receive)))
            return;
        shown++;
        d += "M" + plot.x(m.send).toFixed(1) + " " + (plot.top + m.from * tall + tall / 2) +
            "L" + plot.x(m.receive).toFixed(1) + " " + (plot.top + m.to * tall + tall / 2);
    });
    if (shown <= 150)
        plot.path("halo", d);
    plot.path("message" + (shown > 150 ? " many" : ""), d);
}

function drawOwnBorders(plot, t, tall) {
    var d = "";
    t.rows.forEach(function (r, row) {
        if (!r.window || r.window.end_ns <= r.window.start_ns)
            return;
        [r.window.start_ns, r.window.end_ns].forEach(function (ns) {
            d += "M" + plot.x(ns).toFixed(1) + " " + (plot.top + row * tall) + "v" + tall;
        });
    });
    plot.path("ownborder", d);
}

/* "to rank 3", "from rank 5 and rank 7": of the messages that begin or end there */
function partners(t, row, p) {
    function names(own, when, other) {
        var list = [];
        t.sent.forEach(function (m) {
            var name = t.rows[m[other]].partner;
            if (m[own] === row && m[when] >= p.from && m[when] <= p.to && list.indexOf(name) < 0)
                list.push(name);
        });
        return list.slice(0, 3).join(" and ") + (list.length > 3 ? " and " + (list.length - 3) + " more" : "");
    }
    var to = names("from", "send", "to"), from = names("to", "receive", "from");
    return (to ? ", to " + to : "") + (from ? ", from " + from : "");
}

/* "rank 12 (thread 1.13.1): MPI_Send, 1.2ms, to rank 3" */
function pieceWords(t, row, when) {
    var r = t.rows[row], p = r && r.pieces.filter(function (q) { return when >= q.from && when < q.to; })[0];
    if (!r)
        return "";
    if (!p)
        return r.full + ": nothing recorded";
    return r.full + ": " + t.states[p.state].name + ", " +
        (p.part ? "less than half of " : p.several ? "several, together " : p.to - p.from < 1.5 * t.width ? "at most " : "") + time(p.to - p.from) + partners(t, row, p);
}

/* Messages of which only the sends are recorded. */
function noReceives() {
    var list = data.comm || [];
    return list.some(function (m) { return m.messages > 0; }) && list.every(function (m) { return m.timed === 0; });
}

function timelinePlot(shot) {
    var t = shot.t, tall = tallOf(t, t.rows.length > 8 ? 18 : 26), noun = rowNoun(t);
    unfold(t);
    return new Plot({
        title: shot.title,
        kind: "timeline", across: "Time", from: t.start_ns, to: t.end_ns, height: tall * t.rows.length,
        left: leftOf(t), deepest: t.columns / 12,
        note: "One row a " + noun + coloursFrom() +
            (t.messages.length ? "; lines between rows are messages." : noReceives() ?
                "; no receives are recorded, so that no messages are drawn between them." :
                "; no messages between them are recorded here.") +
            sampled(t),
        draw: function (plot) {
            plot.ground();
            nameAxis(plot, t, tall);
            drawStates(plot, t, tall, false);
            drawStates(plot, t, tall, true);
            drawMessages(plot, t, tall);
            drawOwnBorders(plot, t, tall);
            nameStates(plot, t, tall);
        },
        tell: function (when, y) {
            var row = Math.floor(y / tall);
            return row < 0 || row >= t.rows.length ? "" : pieceWords(t, row, when) + "; at " +
                at(when, t.width);
        }
    });
}

function asButton(e, act) {
    e.setAttribute("role", "button");
    e.setAttribute("tabindex", "0");
    e.addEventListener("click", act);
    e.addEventListener("keydown", function (event) {
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            event.stopPropagation();
            act();
        }
    });
}

/* A click on a state shows it alone. */
function timelineLegend(plot, shot) {
    var t = shot.t, list = stateLegend(t), items = all("li", list);
    items.forEach(function (li, i) {
        asButton(li, function () {
            t.alone = t.alone === i ? null : i;
            items.forEach(function (o, k) { o.setAttribute("aria-pressed", String(k === t.alone)); });
            plot.draw();
        });
        li.setAttribute("aria-pressed", "false");
        li.title = "Show this state alone";
    });
    if (hasParts(t))
        put(list, [make("li", { "class": "parts" }, swatch("partkey"), "thin: nothing is recorded of most of that time")]);
    if (t.sent.length)
        put(list, [make("li", { "class": "sent" }, swatch("messagekey"), whole(t.sent.length) + (t.messages_seen > t.sent.length ?
            " of " + whole(t.messages_seen) : "") + " messages as lines" + (t.sent.length > 150 ? ", black where many lie over each other" : ""))]);
    if (shot.own)
        put(list, [make("li", {}, swatch("ownkey"), "border of a " + rowNoun(t) + "'s own window")]);
    return list;
}

/* ---- which iteration ---- */

/* What has a timeline: { name, title, first, last, t, own, kind }. */
var shots = [], shown = null, note = null;

function titled(name, t, own) {
    return capital(name) + (own ? ", each " + rowNoun(t) + " in its own window" : "");
}

/* Is it one iteration, and none takes longer? */
function isSlowest(c, i) {
    var own = data.cuts[i], it = own && own.first === own.last && cutOf(iterationAt(own.first) || {}) === c ?
        iterationAt(own.first) : null;
    return Boolean(it) && iterations.every(function (o) { return o.high <= it.high; });
}

/* "kind 2, " where all of its iterations are of one kind of several */
function kindOfCut(c) {
    var kinds = iterations.filter(function (it) { return it.cut === c; }).map(function (it) { return it.ofKind; });
    return kinds.length && kinds[0] && kinds.every(function (k) { return k === kinds[0]; }) ? "kind " + kinds[0] + ", " : "";
}

/* Iterations of a loop that other ranks repeat beside this one have numbers of their own: #it12 is none of them. */
function isBeside(c) {
    var r = regionOfCut(c);
    return Boolean(r && r.group);
}

function cutShot(c, i) {
    var t = timelineOf(i), numbers = cutNumbers(c), kind = kindOfCut(c), beside = isBeside(c), name;
    if (!t)
        return null;
    name = (isSlowest(c, i) ? "the slowest" : c.kind === "outlier" ? "unusual" : cutTitle(c)) + ": " + kind + (numbers ? "iteration" + (c.window.iterations > 1 ? "s " : " ") + numbers :
        plural(c.window.iterations, "iteration")) + (beside ? " of loop " + c.region : "");
    return { name: name, title: titled(name, t, c.threads), t: t, own: c.threads,
        first: numbers && !beside ? data.cuts[i].first : 0, last: numbers && !beside ? data.cuts[i].last : 0 };
}

function pickShot(p) {
    var t = named(p.timeline), own = t && t.rows.some(function (r) { return r.window; });
    var what = [p.slowest ? p.disturbed ? "the slowest, disturbed" : data.picks.some(function (o) {
        return o.slowest && o.disturbed;
    }) ? "the slowest undisturbed" : "the slowest" : "", p.kind ? (p.usual ? "typical of " : "of ") + "kind " + p.kind :
        p.usual ? "typical" : ""].filter(Boolean).join(", ");
    var name = (what ? what + ": " : "") + "iteration " + p.iteration;
    return t ? { name: name, title: titled(name, t, own), t: t, own: own, first: p.iteration, last: p.iteration } : null;
}

/* The timeline that an iteration is in; the shortest, if it is in several. */
function shotOf(it) {
    return shots.filter(function (s) {
        return s.first > 0 && s.first < it.n + it.count && s.last >= it.n;
    }).sort(function (a, b) { return a.last - a.first - (b.last - b.first); })[0] || null;
}

function showShot(shot) {
    shown = shot;
    shots.forEach(function (s) {
        s.button.setAttribute("aria-pressed", String(s === shot));
        s.box.hidden = s !== shot;
    });
    if (shot)
        shot.plot.fit();
}

/* Only a few iterations have a timeline: of the others it is said, and how to get one. */
function noteOf(it) {
    var typed = cutIterations(it.n + " --report iteration" + it.n + ".html");
    var name = iterationName(it);
    return [make("p", {}, "This page has no timeline of " + name + ": it has those of the iterations named above. " +
        (typed ? "To see " + (it.count > 1 ? "the first of them" : "it") + ", cut it, with a page of its own:" : "")),
        typed ? command(typed) : null];
}

/* The reader chose an iteration. True: its timeline is there. */
function showIteration(it) {
    var shot = shotOf(it);
    if (!note)
        return false;
    note.textContent = "";
    note.hidden = Boolean(shot);
    if (shot)
        showShot(shot);
    else
        put(note, noteOf(it));
    return Boolean(shot);
}

function shotButton(s) {
    s.button = make("button", { type: "button", "aria-pressed": "false" }, capital(s.name));
    s.button.addEventListener("click", function () {
        var it = s.first > 0 && s.first === s.last && iterationAt(s.first);
        note.hidden = true;
        showShot(s);
        if (it)
            pickIteration(it);
    });
    return s.button;
}

function timelinePart() {
    shots = cuts.map(cutShot).concat(data.picks.map(pickShot)).filter(Boolean);
    if (shots.length === 0)
        return null;
    note = make("div", { "class": "chosen", hidden: "", "aria-live": "polite" });
    shots.forEach(function (s) {
        s.plot = timelinePlot(s);
        s.box = make("div", { "class": "shot" }, s.plot.figure, timelineLegend(s.plot, s));
    });
    return [make("div", { "class": "picker", role: "group", "aria-label": "Iterations that have a timeline" },
        shots.map(shotButton)), note, shots.map(function (s) { return s.box; })];
}
