/* Appended to a copy of a page by the test: what is seen must be what the report says. */
"use strict";
(function () {
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
        expectParts(["lengths", "time", "run", "timeline", "why", "structure", "proof", "cuts", "about"],
            ["lengths", "time", "run", "timeline", "structure"].concat(alike() ? ["why"] : []));
    }

    /* What a run without a loop has, and what it has not. */
    function partsWithout() {
        expectParts(["run", "why", "about"], ["run"]);
        ["lengths", "timeline", "structure", "proof", "cuts"].forEach(function (id) {
            expect(!document.getElementById(id), "an empty part: " + id);
        });
        expect(/No loop/.test(document.getElementById("verdict").textContent), "no verdict");
        var said = all(".said code").map(function (c) { return c.textContent; });
        var tries = all("#why .tries code").map(function (c) { return c.textContent; });
        expect(tries.length === 3, "nothing to try");
        expect(tries.filter(function (t) { return t.indexOf("--period") < 0 && said.indexOf(t) < 0; }).length === 0,
            "other commands than the report has: " + tries.join("; "));
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
        all(".said dd").forEach(function (e) {
            var said = /off by more than ([\d.]+) points/.exec(e.textContent.replace(/\s+/g, " "));
            expect(!said || box.textContent.indexOf(said[1]) >= 0,
                "the verdict has another worst than the report: " + box.textContent);
        });
    }

    function lengths() {
        var s = report.drawn.iterations.stretches, n = s.reduce(function (a, t) { return a + t.count; }, 0);
        expect(n >= report.iterations_in_phase - 1, "iterations: " + n);
        expect(s[0].first === 1, "the first iteration is " + s[0].first);
        n = report.chops.reduce(function (a, c) { return a + c.window.iterations; }, 0);
        expect(report.drawn.iterations.group > 1 || all(".order .cutmark").length === n, "marks of what was cut: " + n);
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
        expect(!/threads compared/.test(document.getElementById("why").textContent) || !ranks,
            "ranks are called threads");
    }

    /* Fields of the matrix are as many as the report has; the numbers of collectives are its own. */
    function comm() {
        var list = report.drawn.comm, boxes = all("#comm .pair");
        expect(boxes.length === list.length, "matrices: " + boxes.length);
        boxes.forEach(function (box, i) {
            var m = list[i], lines = m.said.split("\n").filter(function (l) { return l && l.indexOf("note: ") !== 0; });
            expect(all(".comm rect.warm", box).length === m.fields.length / 4, "fields of matrix " + i);
            expect(all(".said dt", box).length === lines.length, "lines of matrix " + i);
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

    function proofs() {
        expect(rows("proof").length > 0, "no proof");
        rows("cuts").forEach(function (row, i) {
            var c = cells(row), cut = report.chops[i];
            same(c[4], cut.window.end_ns - cut.window.start_ns, "window of cut " + i);
            same(c[6], cut.cut.bytes, "size of cut " + i);
        });
        expect(rows("cuts").length === report.chops.length, "cuts: " + rows("cuts").length);
    }

    /* No two words of a drawing lie over each other, and none sticks out of the page. */
    function overlaps() {
        all("svg.plot").forEach(function (svg) {
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
        all("figcaption, nav, p, dd").forEach(function (e) {
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

    /* ---- hands ---- */

    function point(svg, type, x, y) {
        var b = svg.getBoundingClientRect();
        svg.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId: 1,
            clientX: b.left + x, clientY: b.top + y }));
    }
    function key(k) {
        document.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
    }
    function said() {
        var tip = document.getElementById("tip");
        return tip && !tip.hidden ? tip.textContent : "";
    }
    function ticks(svg) {
        return all(".tick", svg).map(function (t) { return t.textContent + t.getAttribute("x"); }).join(" ") +
            all("rect, path", svg).length;
    }

    function zoom() {
        all("svg.plot").forEach(function (svg) {
            var label = svg.getAttribute("aria-label").slice(0, 60), figure = svg.closest("figure");
            var wide = svg.getBoundingClientRect().width, before = svg.innerHTML;
            point(svg, "pointermove", wide / 2, 60);
            ["w", "d", "a", "s", "0"].forEach(key);
            point(svg, "pointerleave", 0, 0);
            expect(ticks(svg) === ticks({ querySelectorAll: function (s) {
                var box = document.createElement("div");
                box.innerHTML = "<svg>" + before + "</svg>";
                return box.querySelectorAll(s);
            } }), "keys: no way back: " + label);
            if (figure.classList.contains("distribution"))
                return;
            before = svg.innerHTML;
            figure.querySelector('[data-do="zoom in"]').click();
            expect(svg.innerHTML !== before, "no zoom: " + label);
            figure.querySelector('[data-do="show all"]').click();
            point(svg, "pointerdown", wide * 0.4, 60);
            point(svg, "pointermove", wide * 0.6, 60);
            expect(svg.querySelector(".brush"), "a drag is not seen: " + label);
            point(svg, "pointerup", wide * 0.6, 60);
            point(svg, "pointerleave", 0, 0);
            expect(svg.innerHTML !== before && !svg.querySelector(".brush"), "no zoom by a drag: " + label);
            svg.dispatchEvent(new MouseEvent("dblclick"));
        });
    }

    var told = /^rank \d+ \(thread \d+\.\d+\.\d+\).*: .+, .*[\d.]+(s|ms|us|ns), (to|from) rank \d+/;

    function hoverTimeline() {
        var timeline = document.querySelector(".timeline svg.plot"), seen = [], x, y, wide;
        wide = timeline.getBoundingClientRect().width;
        for (x = 0.15; x < 0.95; x += 0.02)
            for (y = 12; y < timeline.getBoundingClientRect().height - 44; y += 18) {
                point(timeline, "pointermove", x * wide, y);
                seen.push(said());
            }
        expect(!report.drawn.numbered || report.drawn.timelines[0].messages.length === 0 ||
            seen.some(function (s) { return told.test(s); }), "the timeline does not tell rank, state, length, partner: " + seen[0]);
    }

    function hover() {
        all("svg.plot").forEach(function (svg) {
            var words = [], x;
            for (x = 0.1; x < 0.98; x += 0.02) {
                point(svg, "pointermove", x * svg.getBoundingClientRect().width, svg.closest(".levels") ? 20 : 50);
                words.push(said());
            }
            expect(words.some(Boolean), "says nothing: " + svg.getAttribute("aria-label").slice(0, 60));
            expect(!words.some(function (w) { return /NaN|undefined|null|Infinity/.test(w); }),
                "says nonsense: " + words.join("; ").slice(0, 200));
            point(svg, "pointerleave", 0, 0);
        });
        expect(!/NaN|undefined|Infinity/.test(document.querySelector("main").innerText), "nonsense on the page");
        expect(!said(), "words stay when the pointer has left");
    }

    function click() {
        var svg = document.querySelector(".order svg.plot"), wide = svg.getBoundingClientRect().width, code;
        point(svg, "pointerdown", wide / 2, 100);
        point(svg, "pointerup", wide / 2, 100);
        point(svg, "pointerleave", 0, 0);
        code = document.querySelector(".chosen code");
        expect(code && /^prvcut --iteration \d+(-\d+)? \S/.test(code.textContent), "no command for an iteration");
        expect(/^#it\d+$/.test(location.hash), "no link to an iteration");
        all("table button.copy").concat(code ? [code] : []).forEach(function (b) {
            var typed = b.getAttribute("aria-label") || b.textContent;
            expect(typed.indexOf(report.drawn.options.trim()) >= 0 &&
                typed.slice(-report.drawn.trace.length) === report.drawn.trace, "not of this trace: " + typed);
        });
        location.hash = "";
    }

    /* A saved drawing stands for itself: XML that needs no style from elsewhere. */
    function save() {
        var serializer = XMLSerializer.prototype, serialize = serializer.serializeToString, saved = [];
        var follow = HTMLAnchorElement.prototype.click;
        serializer.serializeToString = function (node) {
            saved.push(serialize.call(this, node));
            return saved[saved.length - 1];
        };
        HTMLAnchorElement.prototype.click = function () { expect(/\.svg$/.test(this.download), "no name"); };
        all('[data-do="save as SVG"]').forEach(function (b) { b.click(); });
        serializer.serializeToString = serialize;
        HTMLAnchorElement.prototype.click = follow;
        expect(saved.length === all("figure").length, "saved: " + saved.length);
        saved.forEach(function (text) {
            var xml = new DOMParser().parseFromString(text, "image/svg+xml");
            expect(xml.documentElement.tagName === "svg", "a saved drawing is no SVG");
            expect(text.indexOf("var(") < 0, "a saved drawing asks for style");
        });
    }

    function search() {
        var input = document.querySelector('#structure input[type="search"], #proof input[type="search"]');
        var list;
        if (!input)
            return;
        list = all("tbody tr", input.closest(".tablebox"));
        input.value = list[0].querySelector("th").textContent;
        input.dispatchEvent(new Event("input"));
        expect(!list[0].hidden && list.some(function (tr) { return tr.hidden; }), "the search finds all");
        input.value = "";
        input.dispatchEvent(new Event("input"));
        expect(!list.some(function (tr) { return tr.hidden; }), "the search does not end");
    }

    function legend() {
        var item = document.querySelector('.legend.states li[role="button"]');
        item.click();
        expect(document.querySelector(".state[stroke-opacity]"), "a state is not shown alone");
        item.click();
        expect(!document.querySelector(".state[stroke-opacity]"), "states do not come back");
    }

    /* No two states look alike, and no two things of the page that mean others. */
    function colours() {
        var kinds = ["loop1", "loop2", "loop3", "mask", "odd"], probe = document.body.appendChild(document.createElement("i"));
        function differ(list, least) {
            list.forEach(function (a, i) {
                list.slice(i + 1).forEach(function (b) {
                    var d = Math.sqrt(a.rgb.reduce(function (s, v, k) { return s + (v - b.rgb[k]) * (v - b.rgb[k]); }, 0));
                    expect(d >= least, a.name + " and " + b.name + " look alike: " + Math.round(d));
                });
            });
        }
        function rgb(colour) {
            probe.style.color = colour;
            return /rgba?\((\d+), (\d+), (\d+)/.exec(getComputedStyle(probe).color).slice(1).map(Number);
        }
        all(".legend.states").forEach(function (list) {
            differ(all("li[data-state]", list).map(function (li) {
                return { name: li.textContent, rgb: rgb(li.querySelector("rect").style.fill) };
            }), 60);
        });
        differ(kinds.map(function (k) { return { name: k, rgb: rgb("var(--" + k + ")") }; }), 60);
        probe.remove();
    }

    /* A number that the pointer shows says what it is of. */
    function hoverSignal() {
        all("svg.plot").filter(function (svg) { return svg.closest(".signal"); }).forEach(function (svg) {
            point(svg, "pointermove", 0.6 * svg.getBoundingClientRect().width, 80);
            expect(/; [a-z][^:;]*: [\d.,]+/.test(said()), "a value of what? " + said());
            point(svg, "pointerleave", 0, 0);
        });
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
            ["window", "paper"], ["odd", "paper"], ["good", "paper"], ["fair", "paper"],
            ["bad", "paper"]].forEach(function (pair) {
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

    var always = [comm, waiting, markup, words, overlaps, zoom, hover, save, search, overlaps, themes];
    var loop = [parts, verdict, lengths, votes, regions, shares, wholes, proofs, hoverTimeline, hoverSignal, click, legend, colours];
    (report.structure.loops ? loop.concat(always) : [partsWithout, votes].concat(always)).forEach(function (check) {
        try {
            check();
        } catch (e) {
            wrong.push(check.name + ": " + e);
        }
    });
    window.parent.postMessage("at " + window.innerWidth + ": " + (wrong.join("\n") || "all is well"), "*");
})();
