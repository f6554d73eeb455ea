"use strict";
(function () {
    var all = function (selector, root) {
        return Array.prototype.slice.call((root || document).querySelectorAll(selector));
    };
    var LETTER = 6.6;

    /* ---- numbers ---- */

    function step(range, most) {
        var least = range / most, power = Math.pow(10, Math.floor(Math.log10(least)));
        var found = [1, 2, 5, 10].filter(function (m) { return m * power >= least * (1 - 1e-9); });
        return found[0] * power;
    }

    function unit(largest) {
        var units = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
        return units.filter(function (u) { return largest >= u[1]; })[0] || units[3];
    }

    function decimals(by) {
        return Math.max(0, Math.min(9, Math.ceil(-Math.log10(by) - 1e-9)));
    }

    function time(ns, fine) {
        var u = unit(Math.abs(ns));
        return (ns / u[1]).toFixed(decimals(fine / u[1])) + " " + u[0];
    }

    /* ---- a plot: what it shows of its time, and how that follows the reader ---- */

    function Plot(figure, svg) {
        var data = figure.querySelector("script.data");
        this.svg = svg;
        this.figure = figure;
        this.output = figure.querySelector("output");
        this.from = this.a = +svg.dataset.from;
        this.to = this.b = +svg.dataset.to;
        this.low = +svg.dataset.low;
        this.high = +svg.dataset.high;
        this.height = +svg.getAttribute("height");
        this.zoomed = svg.querySelector("svg.zoom");
        this.across = +this.zoomed.dataset.across;
        this.data = data ? JSON.parse(data.textContent) : null;
        this.curve = this.zoomed.querySelector(".curve");
        this.mean = this.zoomed.querySelector(".curve.mean");
        this.states = this.zoomed.querySelector(".states");
        this.grid = this.zoomed.querySelector(".period");
        this.least = (this.to - this.from) /
            (this.data ? Math.max(20, this.data.curve.v.length / 90) : 60);
        this.borders = this.data && this.data.grid ? this.data.grid.map(borders) : [];
        this.listen();
        this.draw();
    }

    function borders(g) {
        var at = [], t = 0;
        g.at.forEach(function (d) { at.push(t += d); });
        if (!at.length && g.period > 0 && (g.to - g.from) / g.period < 2e5)
            for (t = g.from; t <= g.to + g.period / 2; t += g.period)
                at.push(t);
        return at;
    }

    Plot.prototype.share = function (t) {
        return (t - this.a) / (this.b - this.a);
    };

    Plot.prototype.width = function () {
        return this.svg.getBoundingClientRect().width || 1;
    };

    Plot.prototype.show = function (a, b) {
        var length = Math.min(this.to - this.from, Math.max(this.least, b - a));
        var middle = (a + b) / 2;
        this.a = Math.max(this.from, Math.min(this.to - length, middle - length / 2));
        this.b = this.a + length;
        this.draw();
    };

    Plot.prototype.zoom = function (by, at) {
        var t = at === undefined ? (this.a + this.b) / 2 : at;
        this.show(t - (t - this.a) * by, t + (this.b - t) * by);
    };

    Plot.prototype.move = function (by) {
        var d = (this.b - this.a) * by;
        d = Math.max(this.from - this.a, Math.min(this.to - this.b, d));
        this.show(this.a + d, this.b + d);
    };

    Plot.prototype.draw = function () {
        var scale = this.across / (this.to - this.from);
        this.zoomed.setAttribute("viewBox", (this.a - this.from) * scale + " 0 " +
            (this.b - this.a) * scale + " " + this.height);
        all(".at", this.svg).forEach(this.place, this);
        this.drawAxis();
        this.drawCurve();
        this.drawGrid();
    };

    Plot.prototype.place = function (e) {
        var t = +e.dataset.ns, x = this.share(t), end;
        if (e.classList.contains("name")) {
            end = Math.min(1, this.share(+e.dataset.end));
            x = Math.max(0, x);
            e.classList.toggle("tight",
                (end - x) * this.width() < e.textContent.length * LETTER + 10);
        } else if (e.tagName === "rect") {
            e.setAttribute("width", Math.max(0, this.share(+e.dataset.end) - x) * 100 + "%");
        } else {
            e.style.display = x < -1e-6 || x > 1 + 1e-6 ? "none" : "";
        }
        if (e.tagName === "line") {
            e.setAttribute("x1", 100 * x + "%");
            e.setAttribute("x2", 100 * x + "%");
        } else {
            e.setAttribute("x", 100 * x + "%");
        }
    };

    Plot.prototype.make = function (tag, attributes, parent) {
        var e = document.createElementNS(this.svg.namespaceURI, tag);
        Object.keys(attributes).forEach(function (k) { e.setAttribute(k, attributes[k]); });
        return parent.appendChild(e);
    };

    Plot.prototype.drawAxis = function () {
        var g = this.svg.querySelector(".xaxis"), h = this.height, t, by, u, x;
        u = unit(Math.max(Math.abs(this.a), Math.abs(this.b)));
        by = step(this.b - this.a, Math.max(2, Math.min(10, Math.floor(this.width() / 80))));
        while (g.firstChild)
            g.removeChild(g.firstChild);
        for (t = Math.ceil(this.a / by - 1e-9) * by; t <= this.b + by * 1e-9; t += by) {
            x = 100 * this.share(t) + "%";
            this.make("line", { "class": "tickline", x1: x, x2: x, y1: h, y2: h + 4 }, g);
            this.make("text", { "class": "tick", "text-anchor": "middle", x: x, y: h + 17 }, g)
                .textContent = (t / u[1]).toFixed(decimals(by / u[1]));
        }
        this.make("text", { "class": "title", "text-anchor": "end", x: "100%", y: h + 32 }, g)
            .textContent = g.dataset.title + " (" + u[0] + ")";
    };

    /* Least, greatest and mean value between two times, in thousandths of the range. */
    Plot.prototype.between = function (t0, t1) {
        var c = this.data.curve, i = Math.max(0, Math.floor((t0 - c.start) / c.step + 1e-6));
        var end = Math.min(c.v.length / 3, Math.max(i + 1, Math.ceil((t1 - c.start) / c.step - 1e-6)));
        var low = Infinity, high = -Infinity, sum = 0, n = end - i;
        for (; i < end; i++) {
            low = Math.min(low, c.v[3 * i]);
            high = Math.max(high, c.v[3 * i + 1]);
            sum += c.v[3 * i + 2];
        }
        return high >= low ? [low, high, sum / n] : null;
    };

    Plot.prototype.drawCurve = function () {
        var n = Math.round(this.width()), there = "", back = "", mean = "", k, t0, t1, v, x0, x1;
        var scale = this.across / (this.to - this.from), h = this.height / 1000;
        if (!this.data || !this.curve)
            return;
        if (!this.original)
            this.original = { d: this.curve.getAttribute("d"), kind: this.curve.getAttribute("class"),
                mean: this.mean && this.mean.getAttribute("d") };
        if (!this.mean)
            this.mean = this.make("path", { "class": "curve", "vector-effect": "non-scaling-stroke" },
                this.zoomed);
        if (this.b - this.a > (this.to - this.from) * 0.999) {
            this.curve.setAttribute("d", this.original.d);
            this.curve.setAttribute("class", this.original.kind);
            this.mean.setAttribute("d", this.original.mean || "");
            return;
        }
        for (k = -1; k <= n; k++) {
            t0 = this.a + (this.b - this.a) * k / n;
            t1 = this.a + (this.b - this.a) * (k + 1) / n;
            v = this.between(t0, t1);
            if (!v)
                continue;
            x0 = ((t0 - this.from) * scale).toFixed(3);
            x1 = ((t1 - this.from) * scale).toFixed(3);
            mean += (mean ? "V" : "M" + x0 + " ") + ((1000 - v[2]) * h).toFixed(1) + "H" + x1;
            there += (there ? "V" : "M" + x0 + " ") + ((1000 - v[1]) * h).toFixed(1) + "H" + x1;
            back = "V" + ((1000 - v[0]) * h).toFixed(1) + "H" + x0 + back;
        }
        this.curve.setAttribute("class", "curve area");
        this.curve.setAttribute("d", there ? there + back + "Z" : "");
        this.mean.setAttribute("d", mean);
    };

    Plot.prototype.drawGrid = function () {
        var self = this, d = "", scale = this.across / (this.to - this.from), seen = [];
        if (!this.borders.length)
            return;
        if (!this.grid)
            this.grid = this.make("path", { "class": "period", "vector-effect": "non-scaling-stroke" },
                this.zoomed);
        this.borders.forEach(function (list) {
            list.forEach(function (t) {
                if (t >= self.a && t <= self.b)
                    seen.push(t);
            });
        });
        if (seen.length <= this.width() / 6)
            seen.forEach(function (t) {
                d += "M" + ((t - self.from) * scale).toFixed(3) + " 18V" + self.height;
            });
        this.grid.setAttribute("d", d);
    };

    /* ---- what the pointer tells ---- */

    Plot.prototype.cells = function () {
        var rows = [], tall = +this.states.dataset.tall;
        all("path", this.states).forEach(function (path) {
            var x = 0, row = null, parts = path.getAttribute("d").match(/[Mmh][^Mmh]+/g) || [];
            parts.forEach(function (part) {
                var n = part.slice(1).trim().split(/[ ,]+/).map(Number);
                if (part[0] === "M") {
                    row = Math.floor(n[1] / tall);
                    rows[row] = rows[row] || [];
                    x = n[0];
                } else if (part[0] === "m") {
                    x += n[0];
                } else {
                    rows[row].push([x, x + n[0], +path.dataset.state]);
                    x += n[0];
                }
            });
        });
        return rows;
    };

    Plot.prototype.stateAt = function (t, y) {
        var row = Math.floor(y / +this.states.dataset.tall), found = null, name;
        var column = (t - this.from) / (this.to - this.from) * +this.states.dataset.columns;
        this.rows = this.rows || this.cells();
        (this.rows[row] || []).forEach(function (r) {
            if (column >= r[0] && column < r[1])
                found = r[2];
        });
        name = found === null ? null :
            this.figure.querySelector('.legend [data-state="' + found + '"] span');
        return "row " + (row + 1) + ": " + (name ? name.textContent : "nothing recorded");
    };

    Plot.prototype.tell = function (t, y) {
        var v, words = time(t, (this.b - this.a) / 1000);
        if (this.states && y >= 0 && y < this.height)
            words += ", " + this.stateAt(t, y);
        if (this.data && (v = this.between(t, t + (this.b - this.a) / this.width()))) {
            v = v.map(function (x) { return this.low + x / 1000 * (this.high - this.low); }, this);
            words += ", " + v[2].toPrecision(3);
            if (v[1] - v[0] > 0.002 * (this.high - this.low))
                words += " (" + v[0].toPrecision(3) + " to " + v[1].toPrecision(3) + ")";
        }
        this.output.textContent = words;
        if (!this.cursor)
            this.cursor = this.make("line", { "class": "cursor", y1: 0, y2: this.height }, this.svg);
        this.cursor.setAttribute("x1", 100 * this.share(t) + "%");
        this.cursor.setAttribute("x2", 100 * this.share(t) + "%");
        this.cursor.style.display = "";
    };

    Plot.prototype.hush = function () {
        this.output.textContent = "";
        if (this.cursor)
            this.cursor.style.display = "none";
    };

    /* ---- hands ---- */

    Plot.prototype.timeOf = function (event) {
        var box = this.svg.getBoundingClientRect();
        var share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
        return this.a + share * (this.b - this.a);
    };

    Plot.prototype.brush = function (t0, t1) {
        var x0 = Math.max(0, this.share(Math.min(t0, t1))), x1 = Math.min(1, this.share(Math.max(t0, t1)));
        if (!this.marked)
            this.marked = this.make("rect", { "class": "brush", y: 0, height: this.height }, this.svg);
        this.marked.setAttribute("x", 100 * x0 + "%");
        this.marked.setAttribute("width", 100 * (x1 - x0) + "%");
        this.marked.style.display = t0 === t1 ? "none" : "";
    };

    Plot.prototype.listenDrag = function () {
        var self = this, start = null, at = 0;
        this.svg.addEventListener("pointerdown", function (e) {
            if (e.button !== 0)
                return;
            start = self.timeOf(e);
            at = e.clientX;
            self.svg.setPointerCapture(e.pointerId);
        });
        this.svg.addEventListener("pointermove", function (e) {
            var t = self.timeOf(e);
            self.tell(t, e.clientY - self.svg.getBoundingClientRect().top);
            if (start !== null)
                self.brush(start, t);
        });
        this.svg.addEventListener("pointerup", function (e) {
            var t = self.timeOf(e), from = start;
            if (from === null)
                return;
            start = null;
            self.brush(0, 0);
            if (Math.abs(e.clientX - at) > 4)
                self.show(Math.min(from, t), Math.max(from, t));
        });
        this.svg.addEventListener("pointercancel", function () { start = null; self.brush(0, 0); });
        this.svg.addEventListener("pointerleave", function () { self.hush(); });
        this.svg.addEventListener("dblclick", function () { self.show(self.from, self.to); });
    };

    Plot.prototype.act = function (what) {
        if (what === "in") this.zoom(0.5);
        else if (what === "out") this.zoom(2);
        else if (what === "left") this.move(-0.3);
        else if (what === "right") this.move(0.3);
        else if (what === "all") this.show(this.from, this.to);
        else return false;
        return true;
    };

    Plot.prototype.listen = function () {
        var self = this, keys = { "+": "in", "=": "in", "-": "out", ArrowLeft: "left",
            ArrowRight: "right", "0": "all", Home: "all", Escape: "all" };
        this.listenDrag();
        this.svg.addEventListener("keydown", function (e) {
            if (!e.ctrlKey && !e.metaKey && !e.altKey && keys[e.key] && self.act(keys[e.key]))
                e.preventDefault();
        });
        /* The wheel scrolls the page until the reader has chosen the plot. */
        this.svg.addEventListener("wheel", function (e) {
            if (!e.ctrlKey && document.activeElement !== self.svg)
                return;
            e.preventDefault();
            self.zoom(e.deltaY > 0 ? 1.25 : 0.8, self.timeOf(e));
        }, { passive: false });
        all("button[data-do]", this.figure).forEach(function (b) {
            b.addEventListener("click", function () { self.act(b.dataset["do"]); });
        });
        this.svg.setAttribute("aria-roledescription", "zoomable drawing; keys + - arrows 0");
        this.figure.querySelector(".tools").title =
            "Drag over a part to see it larger; the wheel works after a click; double click shows all";
        if (this.states)
            this.listenLegend();
    };

    Plot.prototype.listenLegend = function () {
        var self = this, items = all(".legend [data-state]", this.figure);
        items.forEach(function (li) {
            function toggle() {
                var on = li.getAttribute("aria-pressed") !== "true";
                items.forEach(function (other) { other.setAttribute("aria-pressed", "false"); });
                li.setAttribute("aria-pressed", String(on));
                self.states.classList.toggle("one", on);
                all("path", self.states).forEach(function (path) {
                    path.classList.toggle("on", path.dataset.state === li.dataset.state);
                });
            }
            button(li, toggle);
            li.setAttribute("aria-pressed", "false");
            li.title = "Show this state alone";
        });
    };

    function button(e, act) {
        e.setAttribute("role", "button");
        e.setAttribute("tabindex", "0");
        e.addEventListener("click", act);
        e.addEventListener("keydown", function (event) {
            if (event.key === "Enter" || event.key === " ") {
                event.preventDefault();
                act();
            }
        });
    }

    /* ---- nested levels ---- */

    function Levels(figure) {
        var self = this;
        this.figure = figure;
        this.svg = figure.querySelector("svg.levels");
        this.detail = figure.querySelector(".detail");
        this.bars = all(".bar", this.svg);
        this.chosen = null;
        this.bars.forEach(function (bar) {
            button(bar, function () { self.choose(bar); });
            bar.setAttribute("aria-label", bar.querySelector("text").dataset.full);
        });
        all("button[data-do]", figure).forEach(function (b) {
            b.addEventListener("click", function () {
                self.choose(b.dataset["do"] === "up" ? self.above() : null);
            });
        });
        this.draw(0, 1);
    }

    Levels.prototype.draw = function (a, b) {
        var width = this.svg.getBoundingClientRect().width || 1;
        this.a = a;
        this.b = b;
        this.bars.forEach(function (bar) {
            var x = (bar.dataset.a - a) / (b - a), w = (bar.dataset.b - bar.dataset.a) / (b - a);
            var left = Math.max(0, x), right = Math.min(1, x + w);
            var text = bar.querySelector("text");
            bar.setAttribute("x", 100 * left + "%");
            bar.setAttribute("width", 100 * Math.max(0, right - left) + "%");
            bar.style.display = right > left ? "" : "none";
            var room = ((right - left) * width - 12) / LETTER;
            text.textContent = text.dataset.full.length <= room ? text.dataset.full : text.dataset.short;
            text.classList.toggle("tight", text.textContent.length > room);
        });
    };

    Levels.prototype.row = function (bar) {
        return document.querySelector('tr[data-row="' + bar.dataset.region + '"]');
    };

    /* The loop around the chosen one. */
    Levels.prototype.above = function () {
        var of = this.chosen, best = null;
        this.bars.forEach(function (bar) {
            if (of && +bar.getAttribute("y") < +of.getAttribute("y") &&
                +bar.dataset.a <= +of.dataset.a + 1e-9 && +bar.dataset.b >= +of.dataset.b - 1e-9 &&
                (!best || +bar.getAttribute("y") > +best.getAttribute("y")))
                best = bar;
        });
        return best;
    };

    Levels.prototype.choose = function (bar) {
        this.bars.forEach(function (b) { b.classList.toggle("on", b === bar); });
        all("tr.on").forEach(function (tr) { tr.classList.remove("on"); });
        this.chosen = bar;
        this.detail.hidden = !bar;
        if (!bar)
            return this.draw(0, 1);
        this.tell(bar);
        this.draw(+bar.dataset.a, +bar.dataset.b);
    };

    Levels.prototype.tell = function (bar) {
        var row = this.row(bar), list = document.createElement("dl"), heads, next;
        function put(name, value) {
            var box = document.createElement("div");
            box.appendChild(document.createElement("dt")).textContent = name;
            box.appendChild(document.createElement("dd")).textContent = value;
            list.appendChild(box);
        }
        this.detail.textContent = "";
        if (!row)
            put("Region", bar.querySelector("text").dataset.full);
        else
            heads = all("thead th", row.closest("table"));
        if (row) {
            row.classList.add("on");
            all("th, td", row).forEach(function (cell, i) {
                if (cell.colSpan === 1)
                    put(heads[i].textContent, cell.textContent);
            });
            for (next = row.nextElementSibling; next && next.className === "note";
                next = next.nextElementSibling)
                put("Departures", next.textContent);
        }
        this.detail.appendChild(list);
    };

    /* ---- the page ---- */

    function themes() {
        var root = document.documentElement, b = document.getElementById("theme");
        var dark = window.matchMedia("(prefers-color-scheme: dark)");
        function is() {
            return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
        }
        function say() {
            b.textContent = is() ? "Light" : "Dark";
            b.setAttribute("aria-label", "Switch to " + (is() ? "light" : "dark") + " colours");
        }
        b.hidden = false;
        b.addEventListener("click", function () {
            root.dataset.theme = is() ? "light" : "dark";
            say();
        });
        dark.addEventListener("change", say);
        say();
    }

    var plots = [], levels = [];
    all(".tools").forEach(function (tools) {
        var figure = tools.closest("figure");
        tools.hidden = !figure.querySelector("svg[data-zoom]") && !figure.classList.contains("icicle");
    });
    all("figure.chart").forEach(function (figure) {
        var svg = figure.querySelector("svg[data-zoom]");
        if (svg)
            plots.push(new Plot(figure, svg));
    });
    all("figure.icicle").forEach(function (figure) { levels.push(new Levels(figure)); });
    window.addEventListener("resize", function () {
        plots.forEach(function (p) { p.draw(); });
        levels.forEach(function (l) { l.draw(l.a, l.b); });
    });
    themes();
})();
