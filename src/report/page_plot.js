/* A drawing over time or over iterations: it is drawn anew whenever the reader zooms. */

var plots = [], lastPlot = null, tip = null, patterns = 0;

var STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "opacity", "font-size", "font-family", "font-weight", "text-anchor", "paint-order", "display"];

/*
 * options: title, note (one line), from, to, height, left; up: { low, high, title, mark };
 * across: title of the axis, which is of times, of iterations (axis: "count") or of plain numbers
 * (axis: "plain"); draw(plot); tell(x, y): words of the pointer; click(x, y)
 */
function Plot(options) {
    var o = options;
    this.o = o;
    this.a = o.from;
    this.b = o.to;
    this.height = o.height;
    this.left = o.left || 64;
    this.top = this.above = o.top || (o.up ? 24 : 8);
    this.least = o.axis === "count" ? Math.min(2, o.to - o.from) : (o.to - o.from) / (o.deepest || 2000);
    this.svg = drawn("svg", { "class": "plot", role: "img", tabindex: 0, "aria-label": o.title + ". " +
        o.note + " Keys: w and s zoom, a and d move, 0 shows all." });
    this.box = make("div", { "class": "area" }, this.svg);
    this.figure = make("figure", { "class": "chart " + (o.kind || "") },
        make("figcaption", {}, make("span", {}, o.title), this.tools()), this.box, explain(o.note));
    this.listen();
    plots.push(this);
}

Plot.prototype.tools = function () {
    var self = this;
    function tool(text, label, act) {
        var b = make("button", { type: "button", "data-do": label, title: label }, text);
        b.addEventListener("click", act);
        return b;
    }
    return make("span", { "class": "tools" },
        make("span", { "class": "how" }, "drag to zoom, or w s a d"),
        tool("+", "zoom in", function () { self.zoom(0.5); }),
        tool("\u2212", "zoom out", function () { self.zoom(2); }),
        tool("all", "show all", function () { self.show(self.o.from, self.o.to); }),
        tool("save as SVG", "save as SVG", function () { self.save(); }));
};

Plot.prototype.x = function (t) {
    return this.left + (t - this.a) / (this.b - this.a) * this.across;
};

/* The same, but not outside of what is seen by more than a little. */
Plot.prototype.near = function (t) {
    return Math.max(this.left - 2, Math.min(this.left + this.across + 2, this.x(t)));
};

Plot.prototype.t = function (x) {
    return this.a + (x - this.left) / this.across * (this.b - this.a);
};

Plot.prototype.y = function (v) {
    var u = this.o.up;
    return this.top + this.height * (u.high - Math.min(u.high, Math.max(u.low, v))) / (u.high - u.low);
};

Plot.prototype.sees = function (from, to) {
    return to > this.a && from < this.b;
};

/* Only where it has another width than when it was drawn, or could not be drawn. */
Plot.prototype.fit = function () {
    var room = this.box.getBoundingClientRect().width;
    if (room > 0 && room !== this.room || this.stale)
        this.draw();
};

/* Under a tab that is not open it has no width: it stays as it was, until it is seen. */
Plot.prototype.draw = function () {
    var room = this.box.getBoundingClientRect().width, width = Math.max(240, Math.floor(room));
    var svg = this.svg, name = "clip" + plots.indexOf(this), u = this.o.up, tall;
    this.stale = room === 0;
    if (this.stale && svg.firstChild)
        return;
    this.room = room;
    while (svg.firstChild)
        svg.removeChild(svg.firstChild);
    this.across = width - this.left - 14;
    this.folds = u && u.more && SMALL * (u.title + ", " + u.more + "  " + (u.mark || "")).length > width;
    this.top = this.above + (this.folds ? LINE : 0);
    tall = this.top + this.height + (this.o.bare ? 4 : 38);
    svg.setAttribute("viewBox", "0 0 " + width + " " + tall);
    svg.setAttribute("width", width);
    svg.setAttribute("height", tall);
    this.defs = drawn("defs", {}, svg);
    drawn("rect", { x: this.left, y: 0, width: this.across, height: this.top + this.height },
        drawn("clipPath", { id: name }, this.defs));
    this.axis = drawn("g", {}, svg);
    this.g = drawn("g", { "clip-path": "url(#" + name + ")" }, svg);
    this.hatched = null;
    if (this.o.up)
        this.drawUp();
    this.o.draw(this);
    if (!this.o.bare)
        this.drawAcross();
};

/* Disturbed stretches are hatched: never colour alone. */
Plot.prototype.hatch = function () {
    var p;
    if (!this.hatched) {
        this.hatched = "hatch" + (++patterns);
        p = drawn("pattern", { id: this.hatched, width: 6, height: 6, patternUnits: "userSpaceOnUse",
            patternTransform: "rotate(45)" }, this.defs);
        drawn("rect", { width: 6, height: 6, "class": "hatchback" }, p);
        drawn("line", { y2: 6, "class": "hatchline" }, p);
    }
    return "url(#" + this.hatched + ")";
};

Plot.prototype.rect = function (from, to, top, height, kind, least) {
    var x0 = this.near(from), x1 = Math.max(this.near(to), x0 + (least || 0));
    var e = drawn("rect", { "class": kind, x: x0.toFixed(2), y: top, width: (x1 - x0).toFixed(2),
        height: height }, this.g);
    if (/\bdisturbed\b/.test(kind))
        e.style.fill = this.hatch();
    return e;
};

/* What colours of the trace lie on. */
Plot.prototype.ground = function () {
    drawn("rect", { "class": "ground", x: this.left, y: this.top, width: this.across, height: this.height }, this.g);
};

Plot.prototype.path = function (kind, d) {
    return d ? drawn("path", { "class": kind, d: d }, this.g) : null;
};

Plot.prototype.word = function (x, y, text, kind, anchor) {
    var e = drawn("text", { x: x.toFixed(1), y: y, "class": kind || "", "text-anchor": anchor || "start" },
        this.g);
    e.textContent = text;
    return e;
};

/* Pixels of a letter of a bold name: few names are wider. */
var LETTER = 7.4;
/* Of what stands above an axis, and from one such line to the next. */
var SMALL = 6.6, LINE = 14;

/* Steps of 1, 2 or 5 times a power of ten. */
function roundStep(range, most) {
    var least = range / most, power = Math.pow(10, Math.floor(Math.log10(least)));
    return [1, 2, 5, 10].filter(function (m) { return m * power >= least * (1 - 1e-9); })[0] * power;
}

function tick(g, x, y, text, anchor) {
    drawn("text", { "class": "tick", x: x, y: y, "text-anchor": anchor }, g).textContent = text;
}

Plot.prototype.drawUp = function () {
    var u = this.o.up, by = roundStep(u.high - u.low, this.height < 140 ? 3 : 5), v, y;
    if (u.whole)
        by = Math.max(1, by);
    for (v = Math.ceil(u.low / by - 1e-9) * by; v <= u.high + by * 1e-9; v += by) {
        y = this.y(v);
        drawn("line", { "class": "grid", x1: this.left, x2: this.left + this.across, y1: y, y2: y }, this.axis);
        tick(this.axis, this.left - 8, y + 4, v.toFixed(decimals(by)), "end");
    }
    drawn("text", { "class": "title", x: 0, y: 12 }, this.axis).textContent = u.title + (u.more && !this.folds ? ", " + u.more : "");
    if (u.more && this.folds)
        drawn("text", { "class": "title", x: 0, y: 12 + LINE }, this.axis).textContent = u.more;
    if (u.mark)
        drawn("text", { "class": "median", x: this.left + this.across, y: 12, "text-anchor": "end" }, this.axis)
            .textContent = u.mark;
};

Plot.prototype.drawAcross = function () {
    var y = this.top + this.height, most = Math.max(2, Math.min(10, Math.floor(this.across / 80)));
    var count = this.o.axis === "count", shift = count ? 0.5 : 0, t, x, line;
    var u = this.o.axis ? ["", 1] : unitOf(Math.max(Math.abs(this.a), Math.abs(this.b)), TIMES);
    var by = roundStep(this.b - this.a, most);
    if (count)
        by = Math.max(1, by);
    for (t = Math.ceil(this.a / by - 1e-9) * by; t <= this.b + by * 1e-9; t += by) {
        x = this.x(t + shift);
        if (x > this.left + this.across + 1 || (count && t < this.o.from))
            continue;
        line = { "class": "tickline", x1: x, x2: x, y1: y, y2: y + 4 };
        drawn("line", line, this.axis);
        tick(this.axis, x, y + 18, (t / u[1]).toFixed(decimals(by / u[1])), "middle");
    }
    drawn("line", { "class": "axis", x1: this.left, x2: this.left + this.across, y1: y, y2: y }, this.axis);
    drawn("text", { "class": "title", x: this.left + this.across, y: y + 32, "text-anchor": "end" }, this.axis)
        .textContent = this.o.across + (u[0] ? " (" + u[0] + ")" : "");
};

/* ---- zoom ---- */

Plot.prototype.show = function (a, b) {
    var length = Math.min(this.o.to - this.o.from, Math.max(this.least, b - a));
    var middle = (a + b) / 2;
    this.a = Math.max(this.o.from, Math.min(this.o.to - length, middle - length / 2));
    if (length >= this.o.to - this.o.from)
        this.a = this.o.from;
    this.b = length < this.o.to - this.o.from ? this.a + length : this.o.to;
    this.draw();
};

Plot.prototype.zoom = function (by, around) {
    var t = around === undefined ? (this.a + this.b) / 2 : around;
    this.show(t - (t - this.a) * by, t + (this.b - t) * by);
};

Plot.prototype.move = function (by) {
    var d = (this.b - this.a) * by;
    d = Math.max(this.o.from - this.a, Math.min(this.o.to - this.b, d));
    this.show(this.a + d, this.b + d);
};

Plot.prototype.key = function (key) {
    key = key.length === 1 ? key.toLowerCase() : key;
    if (key === "w" || key === "+" || key === "=") this.zoom(0.5, this.under);
    else if (key === "s" || key === "-") this.zoom(2, this.under);
    else if (key === "a" || key === "ArrowLeft") this.move(-0.3);
    else if (key === "d" || key === "ArrowRight") this.move(0.3);
    else if (key === "0" || key === "Escape") this.show(this.o.from, this.o.to);
    else return false;
    return true;
};

/* ---- the pointer ---- */

function tell(words, event) {
    var width;
    if (!tip)
        tip = document.body.appendChild(make("div", { id: "tip", role: "status" }));
    tip.hidden = !words;
    tip.textContent = words || "";
    if (!words)
        return;
    width = tip.getBoundingClientRect().width;
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - width - 8)) + "px";
    tip.style.top = event.clientY + 18 + "px";
}

Plot.prototype.point = function (event) {
    var box = this.svg.getBoundingClientRect();
    var x = (event.clientX - box.left) * (this.left + this.across + 14) / box.width;
    return { t: Math.max(this.a, Math.min(this.b, this.t(x))), y: event.clientY - box.top - this.top,
        inside: x >= this.left && x <= this.left + this.across };
};

Plot.prototype.mark = function (t0, t1) {
    if (this.brush)
        this.brush.remove();
    this.brush = t0 === t1 ? null : this.rect(Math.min(t0, t1), Math.max(t0, t1), this.top, this.height, "brush");
};

Plot.prototype.cursor = function (t) {
    if (this.line)
        this.line.remove();
    this.line = t === null ? null : drawn("line", { "class": "cursor", x1: this.x(t), x2: this.x(t),
        y1: this.top, y2: this.top + this.height }, this.g);
};

Plot.prototype.listenDrag = function () {
    var self = this, start = null, x0 = 0;
    this.svg.addEventListener("pointerdown", function (e) {
        if (e.button !== 0)
            return;
        start = self.point(e).t;
        x0 = e.clientX;
        try {
            self.svg.setPointerCapture(e.pointerId);
        } catch (ignored) { /* the pointer is no real one */ }
    });
    this.svg.addEventListener("pointerup", function (e) {
        var from = start, p = self.point(e);
        start = null;
        if (from === null)
            return;
        self.mark(0, 0);
        if (Math.abs(e.clientX - x0) > 4)
            self.show(Math.min(from, p.t), Math.max(from, p.t));
        else if (self.o.click && p.inside)
            self.o.click(p.t, p.y);
    });
    this.svg.addEventListener("pointercancel", function () { start = null; self.mark(0, 0); });
    this.svg.addEventListener("pointermove", function (e) {
        var p = self.point(e);
        self.under = p.t;
        lastPlot = self;
        self.cursor(p.inside ? p.t : null);
        tell(p.inside ? self.o.tell(p.t, p.y) : "", e);
        if (start !== null)
            self.mark(start, p.t);
    });
};

Plot.prototype.listen = function () {
    var self = this;
    this.listenDrag();
    this.svg.addEventListener("pointerleave", function () {
        self.under = undefined;
        if (lastPlot === self)
            lastPlot = null;
        self.cursor(null);
        tell("");
    });
    this.svg.addEventListener("dblclick", function () { self.show(self.o.from, self.o.to); });
    /* The wheel scrolls the page until the reader has chosen the drawing. */
    this.svg.addEventListener("wheel", function (e) {
        if (!e.ctrlKey && document.activeElement !== self.svg)
            return;
        e.preventDefault();
        self.zoom(e.deltaY > 0 ? 1.25 : 0.8, self.point(e).t);
    }, { passive: false });
};

/* Keys go to the drawing under the pointer, else to the one that has the focus, else to the first that
   is seen. */
function plotOfKeys() {
    return lastPlot || plots.filter(function (p) { return p.svg === document.activeElement; })[0] ||
        plots.filter(function (p) {
            var box = p.svg.getBoundingClientRect();
            return box.height > 0 && box.bottom > 60 && box.top < window.innerHeight - 60;
        })[0];
}

/* ---- a file of its own ---- */

/* As it is seen, with its colours in it. */
function standalone(svg, title) {
    var copy = svg.cloneNode(true), from = [svg].concat(all("*", svg)), to = [copy].concat(all("*", copy));
    var paper = drawn("rect", { width: "100%", height: "100%" });
    from.forEach(function (e, i) {
        var style = getComputedStyle(e);
        STYLES.forEach(function (name) {
            var value = style.getPropertyValue(name);
            if (value && value !== "none" || name === "fill")
                to[i].style.setProperty(name, value.replace(/url\("?[^#]*(#[^"]*)"?\)/, "url($1)"));
        });
    });
    paper.style.fill = getComputedStyle(document.body).backgroundColor;
    copy.insertBefore(paper, copy.firstChild);
    copy.insertBefore(drawn("title", {}), paper).textContent = report.input.name + ": " + title;
    copy.setAttribute("xmlns", SVG);
    return new XMLSerializer().serializeToString(copy);
}

function saveSvg(svg, title) {
    var url = URL.createObjectURL(new Blob([standalone(svg, title)], { type: "image/svg+xml" }));
    var a = make("a", { href: url, download: (report.input.name + " " + title)
        .replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 80) + ".svg" });
    document.body.appendChild(a).click();
    a.remove();
    setTimeout(function () { URL.revokeObjectURL(url); }, 1000);
}

Plot.prototype.save = function () {
    this.cursor(null);
    saveSvg(this.svg, this.o.title);
};

/* ---- curves ---- */

/* Least, greatest and mean value between two times, in thousandths of the curve's range. */
function between(c, t0, t1) {
    var i = Math.max(0, Math.floor((t0 - c.start) / c.step + 1e-6));
    var end = Math.min(c.v.length / 3, Math.max(i + 1, Math.ceil((t1 - c.start) / c.step - 1e-6)));
    var low = Infinity, high = -Infinity, sum = 0, n = end - i;
    for (; i < end; i++) {
        low = Math.min(low, c.v[3 * i]);
        high = Math.max(high, c.v[3 * i + 1]);
        sum += c.v[3 * i + 2];
    }
    return high >= low ? [low, high, sum / n].map(function (x) {
        return c.low + x / 1000 * (c.top - c.low);
    }) : null;
}

/* From the least to the greatest value of each column of pixels, and the mean. */
Plot.prototype.curve = function (c) {
    var there = "", back = "", line = "", x, v;
    for (x = 0; x <= this.across; x++) {
        v = between(c, this.t(this.left + x), this.t(this.left + x + 1));
        if (!v)
            continue;
        v = v.map(this.y, this).map(function (y) { return y.toFixed(1); });
        there += (there ? "V" : "M" + (this.left + x) + " ") + v[1] + "H" + (this.left + x + 1);
        back = "V" + v[0] + "H" + (this.left + x) + back;
        line += (line ? "V" : "M" + (this.left + x) + " ") + v[2] + "H" + (this.left + x + 1);
    }
    this.path("curve area", there ? there + back + "Z" : "");
    this.path("curve", line);
};

/* How the values of a curve are printed: in round units. */
function curveScale(c) {
    var u;
    if (c.unit === "ns") {
        u = unitOf(c.top, TIMES);
        return { by: u[1], unit: u[0], title: c.name + " (" + u[0] + ")" };
    }
    u = c.top >= 5e10 ? [1e9, "billion "] : c.top >= 5e7 ? [1e6, "million "] : c.top >= 5e4 ? [1e3, "thousand "]
        : [1, ""];
    return { by: u[0], unit: (" " + u[1] + c.unit).trimEnd(), title: c.name + (c.unit || u[1] ? " (" + u[1] + c.unit + ")" : "") };
}

/* A curve in the units that its axis shows. */
function scaledCurve(c) {
    var s = curveScale(c), cut = c.most > c.top * 1.0001;
    return { name: c.name, unit: s.unit, start: c.start, step: c.step, end: c.end, v: c.v, low: c.low / s.by, top: c.top / s.by,
        title: s.title, more: cut ? "cut off at the top: up to " +
            (c.unit === "ns" ? time(c.most) : three(c.most / s.by)) : "" };
}
