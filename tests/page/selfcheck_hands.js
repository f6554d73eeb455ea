/* The last part of selfcheck.js: what keys, pointer, links and tabs do; then all is checked. */

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

function zoom(root) {
    drawings(root).forEach(function (svg) {
        var label = svg.getAttribute("aria-label").slice(0, 60), figure = svg.closest("figure");
        var wide = svg.getBoundingClientRect().width, before;
        point(svg, "pointermove", wide / 2, 60);
        key("0");
        before = svg.innerHTML;
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

var told = /^rank \d+ \(.+\).*: .+, .*[\d.]+(s|ms|us|ns), (to|from) rank \d+/;

function hoverTimeline() {
    var timeline = document.querySelector(".timeline svg.plot"), words = [], x, y, wide;
    openCut();
    wide = timeline.getBoundingClientRect().width;
    for (x = 0.15; x < 0.95; x += 0.02)
        for (y = 12; y < timeline.getBoundingClientRect().height - 44; y += 18) {
            point(timeline, "pointermove", x * wide, y);
            words.push(said());
        }
    expect(report.drawn.timelines[0].messages.length === 0 || words.some(function (s) { return told.test(s); }),
        "the timeline does not tell rank, state, length, partner: " + words[0]);
    expect(!hasWideSeveral(report.drawn.timelines[0]) || words.some(function (s) { return /, several, together /.test(s); }),
        "states that follow each other are told as one");
}

/* Is a piece that is several states wide enough to be met? */
function hasWideSeveral(t) {
    return t.rows.length <= 16 && t.rows.some(function (r) {
        var at = 0;
        return r.runs.some(function (v, i) {
            var from = at;
            at += i % 2 ? v : 0;
            return i % 2 && r.several.indexOf((i - 1) / 2) >= 0 && v > t.columns * 0.06 && from > t.columns * 0.2 && at < t.columns * 0.8;
        });
    });
}

function hover(root) {
    drawings(root).forEach(function (svg) {
        var words = [], box = svg.getBoundingClientRect(), x;
        /* Drawings of a few ranks are low. */
        [20, 50].forEach(function (y) {
            for (x = 0.1; x < 0.98; x += 0.04) {
                point(svg, "pointermove", x * box.width, y);
                words.push(said());
            }
        });
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
    openCut();
    item.click();
    expect(document.querySelector(".state[stroke-opacity]") || !item.nextElementSibling || !item.nextElementSibling.hasAttribute("role"),
        "a state is not shown alone");
    item.click();
    expect(!document.querySelector(".state[stroke-opacity]"), "states do not come back");
    all(".legend li").forEach(function (li) { expect(li.querySelector("svg.swatch"), "no key of: " + li.textContent); });
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
    open("run");
    drawings().filter(function (svg) { return svg.closest(".signal"); }).forEach(function (svg) {
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
        ["onaper", "aper"], ["window", "paper"], ["odd", "paper"], ["good", "paper"], ["fair", "paper"],
        ["bad", "paper"]].forEach(function (pair) {
        var c = contrast(colour(pair[0]), colour(pair[1]));
        expect(c >= 4.5, theme + ": " + pair.join(" on ") + " has contrast " + c.toFixed(2));
    });
    /* Paraver's own colours of states: computing, tracing, waiting. */
    ["rgb(0, 0, 255)", "rgb(65, 65, 65)", "rgb(139, 0, 0)"].forEach(function (state) {
        expect(contrast(state, colour("ground")) >= 4.5, theme + ": " + state + " hardly shows");
    });
    namesOnBars(theme);
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

/* ---- tabs, links, picks ---- */

function follow(hash) {
    history.replaceState(null, "", hash);
    window.dispatchEvent(new Event("hashchange"));
}

/* A click, a digit, an arrow and a link open a tab, and no two are open. */
function tabbed() {
    function is(t, how) {
        expect(opened().length === 1 && opened()[0] === panelOf(t) && t.getAttribute("aria-selected") === "true" &&
            all('[role="tab"][aria-selected="true"]').length === 1, t.textContent + " is not opened by " + how);
        expect(panelOf(t).getAttribute("aria-labelledby") === t.id, "a panel without a name: " + t.textContent);
    }
    expect(tabs().length >= (report.structure.loops ? 8 : 3), "tabs: " + tabs().length);
    tabs().forEach(function (t) {
        t.click();
        is(t, "a click");
        expect(location.hash === "#" + panelOf(t).querySelector("section").id, "no link to the tab " + t.textContent);
    });
    tabs().forEach(function (t, i) {
        key(String(i + 1));
        is(t, "a key");
    });
    tabs().forEach(function (t, i) {
        tabs()[i ? i - 1 : tabs().length - 1].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        is(t, "an arrow");
    });
    tabs().forEach(function (t) {
        follow("#" + all("section", panelOf(t)).pop().id);
        is(t, "a link");
    });
    follow("#nothing-of-the-kind");
    expect(seen(document.querySelector(".nowhere")) && /^#nothing-of-the-kind: /.test(document.querySelector(".nowhere").textContent),
        "a link to nowhere is followed silently");
    tabs().forEach(function (t) {
        expect(document.querySelector(".nowhere").textContent.includes(panelOf(t).querySelector("section").id), "not told of: " + t.textContent);
    });
    follow("#" + all("section", panelOf(tabs()[0])).pop().id);
    expect(!seen(document.querySelector(".nowhere")), "what was said of another link stays");
    all("section").forEach(function (s) {
        expect(s.id === "lengths" || s.closest(".panel"), "under no tab: " + s.id);
    });
    all(".said dt a").forEach(function (a) {
        expect(document.querySelector(a.getAttribute("href")), "a link to nowhere: " + a.href);
    });
    tabs()[0].click();
}

/* The first screen answers, in a line each. */
function first() {
    var said = all(".said dt").map(function (dt) { return dt.textContent; });
    (report.structure.loops ? ["Loop", "Kinds", "Sure", "Efficiency", "Waits"] : []).forEach(function (name) {
        expect(said.indexOf(name) >= 0 || (name === "Waits" && !report.drawn.waits), "the first screen lacks " + name);
    });
    all(".said dt").forEach(function (dt) {
        expect(dt.textContent !== "Why slow" || !/shorter than the median/.test(dt.nextElementSibling.textContent),
            "shorter is not slow: " + dt.nextElementSibling.textContent);
    });
    all(".said dd, .answer").forEach(function (dd) {
        expect(dd.textContent.trim() && dd.textContent.indexOf("Region   ") < 0, "a line of a table: " + dd.textContent);
    });
}

/* Keys and links pick iterations; what has no timeline is said to have none. */
function picked() {
    var group = report.drawn.iterations.group, cuts = report.drawn.cuts, has = {}, n;
    function of(n) {
        var chosen = document.querySelector("#lengths .chosen"), note = document.querySelector("#timeline .chosen");
        expect(chosen.textContent.indexOf("iteration " + n + ":") >= 0, "not picked: " + n);
        expect(location.hash === "#it" + n, "no link to " + n);
        expect(seen(document.getElementById("timeline")), "the timelines are not open");
        expect(Boolean(has[n]) !== seen(note), "iteration " + n + " has " + (has[n] ? "a" : "no") + " timeline");
        if (!has[n])
            expect(/has no timeline of iteration/.test(note.textContent) && note.querySelector("code"), "not said: " + n);
        else
            expect(all(".shot").filter(seen).length === 1 && all(".shot").filter(seen)[0].querySelector("figcaption")
                .textContent.indexOf(has[n] === true ? "teration " + n : has[n]) >= 0, "another timeline than that of " + n);
    }
    cuts.forEach(function (c, i) {
        /* Another loop's iterations are none of this one's; some cuts have none. */
        if (!report.drawn.timelines[i] || !ofLead(report.chops[i]))
            return;
        for (n = c ? c.first : 1; c && n <= c.last; n++)
            has[n] = has[n] === true || c.first === c.last ? true : "iterations " + c.first + "-" + c.last;
    });
    report.drawn.picks.forEach(function (p) { has[p.iteration] = true; });
    report.drawn.picks.forEach(function (p) {
        expect(p.timeline && p.timeline.rows.length, "nothing is drawn of iteration " + p.iteration);
    });
    expect(all(".picker button").length === report.drawn.timelines.filter(Boolean).length + report.drawn.picks.length, "timelines to pick from");
    if (group > 1)
        return;
    for (n = 1; n <= Math.min(8, report.loop_iterations); n++) {
        open("time");
        follow("#it" + n);
        of(n);
    }
    key(",");
    of(n - 2);
    key(".");
    of(n - 1);
    report.drawn.picks.forEach(function (p) {
        follow("#it" + p.iteration);
        of(p.iteration);
    });
    follow("#it123456789");
    expect(/No iteration 123456789 is known/.test(document.querySelector("#lengths .chosen").textContent), "a link to nowhere");
    follow("#timeline");
}

/* ? lists the keys, and again closes the list. */
function help() {
    var order = document.querySelector(".order svg.plot"), before;
    key("?");
    var list = document.getElementById("keys");
    expect(list && list.open && /w, s/.test(list.textContent) && /a, d/.test(list.textContent), "no list of keys");
    key("?");
    expect(!list.open, "the list of keys stays");
    /* In a narrow window it is below what is seen. */
    if (order && window.innerWidth >= 800) {
        window.scrollTo(0, 0);
        before = order.innerHTML;
        key("w");
        expect(order.innerHTML !== before, "w zooms nothing where the pointer is nowhere");
        key("0");
    }
}

/* The printed page has what is under each tab. */
function printed() {
    var rules = Array.prototype.slice.call(document.styleSheets[0].cssRules).filter(function (r) {
        return r.media && r.media.mediaText === "print";
    })[0].cssRules;
    expect(Array.prototype.slice.call(rules).some(function (r) {
        return /\.panel\[hidden\]/.test(r.selectorText) && /\.shot\[hidden\]/.test(r.selectorText) &&
            r.style.display === "block";
    }), "what is folded is not printed");
    expect(!Array.prototype.slice.call(rules).some(function (r) {
        return r.style && r.style.display === "none" && document.querySelector(".rows button") &&
            document.querySelector(".rows button").matches(r.selectorText);
    }), "lists of waits are not printed");
    expect(Array.prototype.slice.call(rules).some(function (r) {
        return r.style && r.style.display === "none" && document.querySelector(".sideways").matches(r.selectorText);
    }), "paper is told to scroll");
    all("svg.plot").forEach(function (svg) {
        expect(svg.childElementCount > 1, "not drawn before it is printed: " + svg.getAttribute("aria-label"));
    });
}

/* A card for the run and for each cut, with the factors that the report has. */
function efficiencies() {
    var cards = all("#efficiency .card"), told = [report.efficiency].concat(report.drawn.others_efficiency.slice(0, 4),
        report.chops.map(function (c) { return c.efficiency; })).filter(Boolean).slice(0, 17);
    var leads = /thread (\d+)\.\d+\.\d+/.exec(report.drawn.leader || "");
    expect(cards.length === told.length, "cards of efficiency: " + cards.length);
    expect(!leads || !report.efficiency || report.efficiency.application === Number(leads[1]), "the first is of who does not repeat the loop");
    cards.forEach(function (card, i) {
        if (is(told[i].factors.parallel))
            near(card.querySelector(".figure").textContent.replace(told[i].lower_bound ? "at least " : "", ""),
                told[i].factors.parallel, "efficiency " + i);
        expect(told[i].applications === 1 || card.querySelector("h3").textContent.indexOf("application " + told[i].application +
            " of " + told[i].applications) > 0, "whose efficiency " + i + " is");
        ["balance", "communication", "serialization", "transfer"].forEach(function (key) {
            var row = all("tr", card).filter(function (tr) { return tr.title.toLowerCase().indexOf(
                key === "balance" ? "load balance" : key) === 0; })[0];
            if (is(told[i].factors[key]))
                near(cells(row)[1], told[i].factors[key], key + " " + i);
            else
                expect(/^\u2013 ./.test(cells(row)[1]), key + " is not said to be unknown: " + cells(row)[1]);
        });
    });
}

/* States of one drawing are told apart. */
function states() {
    all(".legend.states").forEach(function (list) {
        var taken = {};
        all("li[data-state]", list).forEach(function (li) {
            var fill = li.querySelector("rect").style.fill, name = li.querySelector("span").textContent;
            expect(!taken[fill] || taken[fill] === name, name + " has the colour of " + taken[fill]);
            taken[fill] = name;
        });
    });
}

/* What a button copies is what it says, and what stands beside it. */
function copies() {
    var got = [], buttons = all("button.copy");
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: function (text) {
        got.push(text);
        return Promise.resolve();
    } } });
    buttons.forEach(function (b) {
        var code = b.closest(".command") && b.closest(".command").querySelector("code");
        b.click();
        expect("Copy: " + got[got.length - 1] === b.getAttribute("aria-label") &&
            (!code || code.textContent === got[got.length - 1]), "another command is copied: " + got[got.length - 1]);
    });
    expect(got.length === buttons.length && got.length > 0, "copied: " + got.length + " of " + buttons.length);
}

function all_of(check) {
    return function () { everywhere(check); };
}

var always = [first, tabbed, comm, waiting, sources, calls, markup, words, all_of(overlaps), all_of(zoom), all_of(hover), save, search, help,
    printed, themes, heat, kindsSaid, efficiencies, states, copies];
var loop = [parts, verdict, lengths, unusual, votes, regions, rowsOfTheirOwn, shares, wholes, proofs, distribution, picked, hoverTimeline, hoverSignal, click,
    legend, colours];
(report.structure.loops ? loop.concat(always) : [partsWithout, votes].concat(always)).forEach(function (check) {
    try {
        check();
    } catch (e) {
        wrong.push(check.name + ": " + e);
    }
});
window.parent.postMessage("at " + window.innerWidth + ": " + (wrong.join("\n") || "all is well"), "*");
