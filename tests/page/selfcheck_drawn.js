/* The third part of selfcheck.js: drawings beside the data. A bar is as high, and a field where and as full, as the report has it,
   by the axes that a reader sees, and the pointer says the same. */

function ticksOf(svg, anchor) {
    return all("text.tick", svg).filter(function (t) { return t.getAttribute("text-anchor") === anchor; });
}
function at(e, name) {
    return Number(e.getAttribute(name));
}

/* What an axis makes of a place in the drawing, in the unit of the JSON; null: it has too few ticks. */
function axis(svg, up) {
    var list = ticksOf(svg, up ? "end" : "middle").map(function (t) {
        return { at: at(t, up ? "y" : "x") - (up ? 4 : 0), is: Number(t.textContent) };
    }), a = list[0], b = list[list.length - 1];
    var title = all("text.title", svg)[up ? 0 : all("text.title", svg).length - 1].textContent;
    var unit = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[(/\((\w+)\)/.exec(title) || [])[1]] || 1;
    return list.length < 2 ? null : function (px) { return unit * (a.is + (px - a.at) / (b.at - a.at) * (b.is - a.is)); };
}
function centre(e) {
    return { x: at(e, "x") + at(e, "width") / 2, y: at(e, "y") + at(e, "height") / 2 };
}
function saidAt(svg, p) {
    var words;
    point(svg, "pointermove", p.x, p.y);
    words = said();
    point(svg, "pointerleave", 0, 0);
    return words;
}

/* The more, the fuller the colour. */
function fuller(rects, value, what) {
    var last = -1;
    rects.map(function (e, k) { return { is: value(k), full: at(e, "fill-opacity") }; }).sort(function (a, b) {
        return a.is - b.is || a.full - b.full;
    }).forEach(function (c) {
        expect(c.full >= last, what + " " + c.is + " is paler than one that is less");
        last = c.full;
    });
}

/* Lengths that are counted: of undisturbed iterations, unless there are none. */
function countedLengths() {
    var group = report.drawn.iterations.group, clear = [], all_of = [], c = report.drawn.iterations.clear;
    report.drawn.iterations.stretches.forEach(function (s) {
        for (var i = 0, n = s.first; i < s.lengths_ns.length; i += group > 1 ? 3 : 1, n += group) {
            var count = Math.min(group, s.first + s.count - n), is_clear = false;
            for (var k = 0; k < c.length; k += 3)
                is_clear = is_clear || c[k] < n + count && c[k + 1] >= n;
            all_of.push(s.lengths_ns[i] / count);
            if (is_clear)
                clear.push(s.lengths_ns[i] / count);
        }
    });
    return clear.length ? clear : all_of;
}

function distribution() {
    var svg = document.querySelector(".distribution svg.plot"), list = countedLengths(), kinds = report.kinds, sum = 0;
    var x, y, low = Infinity, high = 0, note, far;
    open("iterations");
    x = axis(svg, false);
    y = axis(svg, true);
    /* A narrow drawing may have one tick. */
    if (!x || !y)
        return;
    all("rect.histogram", svg).forEach(function (e) {
        var from = x(at(e, "x")), to = x(at(e, "x") + at(e, "width")), fine = x(0.05) - x(0), n = y(at(e, "y"));
        function within(more) {
            return list.filter(function (v) { return v >= from - more && v < to + more; }).length;
        }
        var told = /: ([\d,]+) (iteration|column)s?$/.exec(saidAt(svg, centre(e)));
        /* What is few is drawn so high that it is seen. */
        expect(n > within(-fine) - 0.05 && n < Math.max(within(fine), y(0) - y(2)) + 0.05, "a bar of " + n + " of " + within(0) + " lengths");
        expect(told && Math.abs(Number(told[1].replace(",", "")) - n) < Math.max(y(0) - y(2), 0.05), "a bar of " + n + " is told as " + (told && told[1]));
        sum += told ? Number(told[1].replace(",", "")) : 0;
        low = Math.min(low, from);
        high = Math.max(high, to);
    });
    note = svg.closest("figure").querySelector("p.more").textContent;
    far = /Far off, not shown: (\d+), (?:from [\d.]+[a-z]+ to )?([\d.]+[a-z]+)\./.exec(note);
    expect(sum + (far ? Number(far[1]) : 0) === list.length, "lengths that are drawn or named: " + sum + " of " + list.length + "; " + note);
    if (far && Number(number(far[2]).is) > high)
        near(far[2], Math.max.apply(null, list), "the longest");
    expect(kinds.length < 2 ? !/ kinds: kind 1/.test(note) : note.indexOf("of " + kinds.length + " kinds: ") > 0, "kinds: " + note);
    if (kinds.length > 1)
        expect(low < kinds[0].median_ns && high > kinds[kinds.length - 1].median_ns, "a kind is not drawn: from " + low + " to " + high);
}

/* A cell is where its row and its iteration are. */
function heat() {
    var h = report.drawn.heat, svg = document.querySelector("#heat svg.plot"), columns, rects, every, x;
    expect(Boolean(h) === Boolean(svg), "who computes how long: " + (svg ? "drawn of nothing" : "not drawn"));
    if (!h || !svg)
        return;
    open("heat");
    columns = h.number.length / 2;
    rects = all("rect.warm", svg);
    x = axis(svg, false);
    every = Math.ceil(rects.length / 40);
    /* Rows of which nobody knows it are blank. */
    if (rects.length !== h.values.length)
        return expect(rects.length % columns === 0 && rects.length > 0, "cells: " + rects.length + " of " + h.values.length);
    fuller(rects, function (k) { return h.values[k]; }, "computing");
    rects.forEach(function (e, k) {
        var n = h.number[2 * (k % columns)], told;
        expect(!x || Math.abs(x(at(e, "x")) - n + 0.5) < x(1) - x(0) + 0.01, "a cell of iteration " + n + " at " + (x && x(at(e, "x")) + 0.5));
        if (k % every)
            return;
        told = /, iterations? (\d+).*: computes (.*)$/.exec(saidAt(svg, centre(e)));
        expect(told && Number(told[1]) === n, "the pointer says of iteration " + n + ": " + (told && told[0]));
        near(told ? told[2] : "", h.values[k] / 1000 * h.most_ns, "computing of cell " + k);
    });
}

/* Fields stand in the row and under the column of their ranks. */
function fieldsOf(box, m) {
    var svg = box.querySelector("svg.plot"), rects = all("rect.warm", box), each = m.ranks_each, ends, scale;
    function ranks(i) {
        var last = Math.min(m.ranks, (i + 1) * each) - 1;
        return i * each + (last > i * each ? "\u2013" + last : "");
    }
    function standsBy(anchor, i, name, place, what) {
        ticksOf(svg, anchor).forEach(function (t) {
            if (t.textContent === ranks(i))
                expect(Math.abs(at(t, name) - place) < 1.5, what + " " + ranks(i) + " is not where its fields are");
        });
    }
    function value(k) {
        return m.fields[4 * k + (m.bytes > 0 ? 3 : 2)];
    }
    if (!svg)
        return;
    fuller(rects, value, "what is sent");
    rects.forEach(function (e, k) {
        var f = m.fields.slice(4 * k, 4 * k + 4), c = centre(e), words = saidAt(svg, c);
        standsBy("end", f[0], "y", c.y + 4, "row");
        standsBy("middle", f[1], "x", c.x, "column");
        expect(new RegExp("^ranks? " + ranks(f[0]) + " to ranks? " + ranks(f[1]) + ": ").test(words), "field of " + f + ": " + words);
        near(/: ([\d.,]+)/.exec(words)[1], f[2], "messages of field " + f);
    });
    ends = rects.map(function (e, k) { return value(k); }).sort(function (a, b) { return a - b; });
    scale = /is ([\d.,]+( [kMGT]?B)?)(?: to ([\d.,]+ [kMGT]?B))?/.exec(box.querySelector("p.more").textContent);
    if (ends.length && m.bytes > 0)
        near(scale[1], ends[0], "the least of the scale");
    if (scale && scale[3])
        near(scale[3], ends[ends.length - 1], "the most of the scale");
}

/* The bars of a kind of waiting, each that of its iterations. */
function waitingBars(svg, it, m) {
    var y = axis(svg, true), x = axis(svg, false), bars = all("rect.iteration", svg);
    expect(bars.length === it.number.length / 3, "bars of waiting: " + bars.length);
    bars.forEach(function (e, k) {
        var first = it.number[3 * k], count = it.number[3 * k + 1] - first + 1, want = it.ns[m.name] ? it.ns[m.name][k] / count : 0;
        expect(!y || Math.abs(y(at(e, "y")) - want) <= y(0) - y(0.1), m.name + " in iteration " + first + ": " + y(at(e, "y")) + " is drawn, not " + want);
        expect(!x || Math.abs(x(at(e, "x")) - first + 0.5) < x(1) - x(0) + 0.01, "the bar of iteration " + first + " stands elsewhere");
    });
}

/* "kind 1: 33 iterations of 24.5ms to 73.0ms, 37.6 % of the loop's time; kind 2: ..." */
function kindsSaid() {
    var said = all(".said dt").filter(function (dt) { return dt.textContent === "Kinds"; })[0];
    if (report.kinds.length < 2)
        return expect(!said || !/kind \d/.test(said.nextElementSibling.textContent), "kinds where there are none");
    said.nextElementSibling.textContent.split("; ").forEach(function (words, i) {
        var k = report.kinds[i], m = /^kind (\d+): ([\d,]+) iterations? of ([\d.]+\w+) to ([\d.]+\w+), ([\d.]+ %) of the loop's time$/.exec(words);
        expect(m && Number(m[1]) === i + 1, "a kind is said as: " + words);
        if (!m)
            return;
        near(m[2], k.iterations, "iterations of kind " + (i + 1));
        near(m[3], k.shortest_ns, "shortest of kind " + (i + 1));
        near(m[4], k.longest_ns, "longest of kind " + (i + 1));
        near(m[5], k.share, "share of kind " + (i + 1));
    });
}

/* Letters on bars can be read, be these hatched or not. */
function namesOnBars(theme) {
    var paper = getComputedStyle(document.body).backgroundColor;
    all("svg.plot text.name").forEach(function (t) {
        var style = getComputedStyle(t), bar = all("rect.bar, rect.strip", t.parentNode).filter(function (e) {
            return at(e, "x") <= at(t, "x") && at(e, "x") + at(e, "width") >= at(t, "x") && at(e, "y") < at(t, "y") &&
                at(e, "y") + at(e, "height") > at(t, "y") - 3;
        })[0], fill = bar && getComputedStyle(bar).fill, under = /^rgb/.test(fill) ? fill : paper;
        expect(bar, "a name without a bar: " + t.textContent);
        if (bar)
            expect(contrast(style.fill, under) >= 4.5 && (under === fill || style.stroke === paper),
                theme + ": '" + t.textContent + "' on its bar has contrast " + contrast(style.fill, under).toFixed(2));
    });
}
