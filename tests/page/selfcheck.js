/* Appended to a copy of a page by the test: what is seen must be what the report says. */
"use strict";
(function () {
    var wrong = [], report = JSON.parse(document.getElementById("report").textContent);
    var all = function (selector, root) {
        return Array.prototype.slice.call((root || document).querySelectorAll(selector));
    };
    function expect(ok, words) {
        if (!ok && wrong.length < 40)
            wrong.push(words);
    }

    /* A text such as "2.345 ms" and the least that its last digit means, in the unit of the JSON. */
    function number(text) {
        var units = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, "%": 0.01 };
        var m = /^([+-]?[\d,]+(?:\.(\d+))?)\s*([a-zA-Z%]*)$/.exec(text.trim());
        var unit = m && (m[3] ? units[m[3]] : 1);
        return m && unit ? { is: +m[1].replace(/,/g, "") * unit,
            fine: unit * Math.pow(10, -(m[2] || "").length) } : null;
    }
    function same(text, value, what) {
        var n = number(text);
        expect(n && Math.abs(n.is - value) <= n.fine * 0.5001 + 1e-9 * Math.abs(value) + 0.5,
            what + ": '" + text + "' is not " + value);
    }
    function near(text, value, what) {
        var n = number(text);
        expect(n && Math.abs(n.is - value) <= n.fine * 0.5001 + 1e-9 * Math.abs(value),
            what + ": '" + text + "' is not " + value);
    }
    function cells(row) {
        return all("th, td", row).map(function (c) { return c.textContent; });
    }

    function parts() {
        ["signal", "period", "votes", "levels", "timeline", "lengths", "proof", "chops", "about"]
            .forEach(function (id) {
                expect(document.getElementById(id), "no part " + id);
            });
        ["signal", "period", "levels", "timeline", "lengths"].forEach(function (id) {
            expect(document.querySelector("#" + id + " svg.plot"), "no drawing in " + id);
        });
        expect(all("main script:not([type]), main img, main iframe").length === 0,
            "a name has become markup");
        expect(all("#signal figure").length === 2, "not two views of the signal");
        all("svg.plot").forEach(function (svg) {
            expect(svg.getAttribute("aria-label"), "a drawing without a name");
        });
        all("button").forEach(function (b) {
            expect(b.textContent || b.getAttribute("aria-label"), "a button without a name");
        });
    }

    function cards() {
        var at = function (key) { return document.querySelector('.cards [data-key="' + key + '"]'); };
        same(at("period_ns").textContent, report.period_ns, "period");
        near(at("iterations_in_phase").textContent, report.iterations_in_phase, "iterations");
        near(at("confidence").textContent, report.confidence, "confidence");
        expect(at("verdict").textContent === report.chops[0].proof.verdict, "verdict");
        same(at("bytes").textContent.split("\u2192")[1], report.cut.bytes, "size");
    }

    function votes() {
        var rows = all("#votes tbody tr");
        expect(rows.length === report.metrics.length, "votes: " + rows.length);
        rows.forEach(function (row, i) {
            var c = cells(row), m = report.metrics[i];
            expect(c[0] === m.name && c[6] === m.status, "vote of " + m.name);
            if (m.period_ns) {
                same(c[1], m.period_ns, "vote of " + m.name);
                near(c[4], m.strength, "strength of " + m.name);
            }
        });
    }

    function regions() {
        var list = report.structure.regions;
        all("#levels tr[data-row]").forEach(function (row) {
            var c = cells(row), r = list[+row.dataset.row];
            same(c[2], r.end_ns - r.start_ns, "length of region " + row.dataset.row);
            if (r.kind !== "periodic")
                return;
            near(c[3], r.iterations, "iterations of region " + row.dataset.row);
            same(c[4], r.period_ns, "period of region " + row.dataset.row);
            same(c[5], r.median_ns, "median of region " + row.dataset.row);
            near(c[10], r.confidence, "confidence of region " + row.dataset.row);
        });
        expect(all("#levels tr[data-row]").length === Math.min(150, list.length), "rows of regions");
        expect(all("#levels svg.bar").length > 0, "no bars");
    }

    function proofs() {
        all("table.proof").forEach(function (table, k) {
            var proof = report.chops[k].proof;
            all("tbody tr", table).forEach(function (row, i) {
                var c = cells(row), r = proof.rows[i];
                expect(c[1].slice(0, 20) === r.name.slice(0, 20), "proof row " + i + ": " + c[1]);
                near(c[3], r.region, "region of " + r.name);
                near(c[4], r.chop, "chop of " + r.name);
                if (typeof r.error === "number")
                    near(c[5], r.error, "error of " + r.name);
            });
        });
        expect(all("table.proof").length === Math.min(4, report.chops.length), "tables of proofs");
    }

    function chops() {
        var rows = all("#chops tbody tr:not(.note)");
        expect(rows.length === report.chops.length, "chops: " + rows.length);
        rows.forEach(function (row, i) {
            var c = cells(row), chop = report.chops[i];
            near(c[2], chop.window.iterations, "iterations of chop " + i);
            same(c[5], chop.window.end_ns - chop.window.start_ns, "length of chop " + i);
            same(c[7], chop.cut.bytes, "size of chop " + i);
        });
    }

    /* No two words of a drawing lie over each other, and none sticks out of the page. */
    function overlaps() {
        all("svg.plot").forEach(function (svg) {
            var label = svg.getAttribute("aria-label"), boxes = [];
            all("text", svg).forEach(function (t) {
                var b = t.getBoundingClientRect();
                if (!t.textContent || b.width === 0 || t.classList.contains("outlier"))
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
        all("figcaption, .cards dd, nav, p").forEach(function (e) {
            expect(e.scrollWidth <= e.clientWidth + 1, "cut off: " + e.textContent.slice(0, 40));
        });
    }

    function zoom() {
        all("svg[data-zoom]").forEach(function (svg) {
            var figure = svg.closest("figure"), label = svg.getAttribute("aria-label");
            var state = function () {
                return svg.querySelector(".zoom").getAttribute("viewBox") +
                    svg.querySelector(".xaxis").textContent;
            };
            var before = state();
            figure.querySelector('[data-do="in"]').click();
            expect(state() !== before, "no zoom: " + label);
            figure.querySelector('[data-do="right"]').click();
            svg.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
            expect(state() === before, "no way back: " + label);
            svg.dispatchEvent(new WheelEvent("wheel", { deltaY: -1, ctrlKey: true, clientX: 400 }));
            expect(state() !== before, "no wheel: " + label);
            figure.querySelector('[data-do="all"]').click();
            expect(state() === before, "no reset: " + label);
        });
    }

    function levels() {
        var bars = all("#levels svg.bar"), detail = document.querySelector("#levels .detail");
        var loop = bars.filter(function (b) { return b.querySelector("rect.loop"); })[0];
        loop.dispatchEvent(new MouseEvent("click"));
        expect(!detail.hidden && detail.querySelectorAll("dd").length > 8, "a bar tells nothing");
        expect(parseFloat(loop.getAttribute("width")) > 99.9, "a bar does not open");
        document.querySelector('#levels button[data-do="all"]').click();
        expect(detail.hidden && parseFloat(loop.getAttribute("width")) < 100, "levels: no reset");
    }

    function legend() {
        var item = document.querySelector(".legend.states li[data-state]");
        item.click();
        expect(document.querySelector(".states.one path.on"), "a state is not shown alone");
        item.click();
        expect(!document.querySelector(".states.one"), "states do not come back");
    }

    /* Letters against what is behind them, by the rule of WCAG 2. */
    function luminance(colour) {
        var c = /rgba?\((\d+), (\d+), (\d+)/.exec(colour).slice(1).map(function (v) {
            v = v / 255;
            return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
        });
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    }
    function contrast(a, b) {
        var x = luminance(a), y = luminance(b);
        return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    }
    function contrasts(theme) {
        var probe = document.body.appendChild(document.createElement("i"));
        function colour(name) {
            probe.style.color = "var(--" + name + ")";
            return getComputedStyle(probe).color;
        }
        [["ink", "paper"], ["ink2", "paper"], ["ink", "sheet"], ["ink2", "sheet"], ["accent", "paper"],
            ["onfill", "loop1"], ["onfill", "loop2"], ["onfill", "loop3"], ["onfill", "quiet"],
            ["window", "paper"], ["odd", "paper"]].forEach(function (pair) {
            var c = contrast(colour(pair[0]), colour(pair[1]));
            expect(c >= 4.5, theme + ": " + pair.join(" on ") + " has contrast " + c.toFixed(2));
        });
        probe.remove();
    }
    function themes() {
        var b = document.getElementById("theme"), paper = getComputedStyle(document.body).backgroundColor;
        contrasts("first theme");
        b.click();
        expect(getComputedStyle(document.body).backgroundColor !== paper, "the theme does not change");
        contrasts("second theme");
        b.click();
    }

    [parts, cards, votes, regions, proofs, chops, overlaps, zoom, levels, legend, overlaps, themes]
        .forEach(function (check) {
            try {
                check();
            } catch (e) {
                wrong.push(check.name + ": " + e);
            }
        });
    var said = document.body.appendChild(document.createElement("pre"));
    said.id = "selfcheck";
    said.textContent = "\n" + (wrong.length ? wrong.join("\n") : "all is well") + "\n";
})();
