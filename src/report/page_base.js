/* What all parts of the page use: the data, elements, numbers, commands to copy, tables. */

var report = JSON.parse(document.getElementById("report").textContent), data = report.drawn;
var main = document.querySelector("main");

function all(selector, root) {
    return Array.prototype.slice.call((root || document).querySelectorAll(selector));
}

function put(e, children) {
    children.forEach(function (child) {
        if (Array.isArray(child))
            put(e, child);
        else if (child !== null && child !== undefined && child !== "")
            e.appendChild(typeof child === "object" ? child : document.createTextNode(child));
    });
    return e;
}

/* make("p", { class: "note" }, "words", element, ...) */
function make(tag, attributes) {
    var e = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (k) {
        if (attributes[k] !== undefined && attributes[k] !== null)
            e.setAttribute(k, attributes[k]);
    });
    return put(e, Array.prototype.slice.call(arguments, 2));
}

var SVG = (function () {
    var box = document.createElement("div");
    box.innerHTML = "<svg></svg>";
    return box.firstChild.namespaceURI;
})();

function drawn(tag, attributes, parent) {
    var e = document.createElementNS(SVG, tag);
    Object.keys(attributes).forEach(function (k) { e.setAttribute(k, attributes[k]); });
    return parent ? parent.appendChild(e) : e;
}

/* ---- numbers: three digits that mean something; the JSON has them all ---- */

function isNumber(x) {
    return typeof x === "number" && isFinite(x);
}

function whole(x) {
    return Math.round(x).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

function three(x) {
    var a = Math.abs(x);
    if (!isNumber(x))
        return "\u2013";
    if (a >= 1e15)
        return x.toPrecision(3);
    if (a >= 1e6)
        return a >= 1e12 ? three(x / 1e12) + " trillion" : a >= 1e9 ? three(x / 1e9) + " billion" :
            three(x / 1e6) + " million";
    if (a >= 100 || x === 0)
        return whole(x);
    return x.toFixed(Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(a) + 1e-9))));
}

/* A number without a unit: zeros behind its point say nothing. */
function number(x) {
    return three(x).replace(/\.0+$|(\.\d*[1-9])0+$/, "$1");
}

function unitOf(largest, units) {
    return units.filter(function (u) { return largest >= u[1]; })[0] || units[units.length - 1];
}

var TIMES = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
var SIZES = [["TB", 1e12], ["GB", 1e9], ["MB", 1e6], ["kB", 1e3], ["B", 1]];

function time(ns) {
    var u = unitOf(Math.abs(ns) * 1.0005, TIMES);
    return isNumber(ns) ? three(ns / u[1]) + u[0] : "\u2013";
}

function size(bytes) {
    var u = unitOf(Math.abs(bytes) * 1.0005, SIZES);
    /* Bytes that were counted: "84 B", as the text has it. */
    return isNumber(bytes) ? (u[1] === 1 && bytes % 1 === 0 ? bytes : three(bytes / u[1])) + " " + u[0] : "\u2013";
}

function decimals(step) {
    return Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9)));
}

/* A time of the run, so exact that steps of that many ns show. */
function at(ns, step) {
    var u = unitOf(report.structure.end_ns, TIMES);
    return (ns / u[1]).toFixed(decimals((step || report.structure.end_ns / 1000) / u[1])) + u[0];
}

function percent(share) {
    return isNumber(share) ? (100 * share).toFixed(1) + " %" : "\u2013";
}

function plural(n, noun) {
    return whole(n) + " " + noun + (n === 1 ? "" : "s");
}

function median(list) {
    var sorted = list.slice().sort(function (a, b) { return a - b; }), n = sorted.length;
    return n ? (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2 : NaN;
}

/* ---- commands ---- */

function copied(text, done) {
    var area = make("textarea", { "class": "hide" });
    function byHand() {
        document.body.appendChild(area);
        area.value = text;
        area.select();
        try {
            done(document.execCommand("copy"));
        } catch (e) {
            done(false);
        }
        area.remove();
    }
    if (navigator.clipboard && navigator.clipboard.writeText)
        navigator.clipboard.writeText(text).then(function () { done(true); }, byHand);
    else
        byHand();
}

function copyButton(text) {
    var b = make("button", { type: "button", "class": "copy", "aria-label": "Copy: " + text }, "copy");
    b.addEventListener("click", function () {
        copied(text, function (ok) {
            b.textContent = ok ? "copied" : "select it by hand";
            setTimeout(function () { b.textContent = "copy"; }, 1500);
        });
    });
    return b;
}

function command(text) {
    return make("span", { "class": "command" }, make("code", {}, text), copyButton(text));
}

/* What a cut was compared with. */
function wholeOf(cut) {
    if (cut.stands_for === "kind") {
        return "kind " + cut.of_kind;
    }
    return cut.stands_for === "loop" ? "its loop" : "region " + cut.stands_for;
}

/* The same over a column. */
function wholeHead(cut) {
    if (cut.stands_for === "kind") {
        return "Kind " + cut.of_kind;
    }
    return cut.stands_for === "loop" ? "Loop" : "Region " + cut.stands_for;
}

/* Who makes the calls: each process has one thread, or several. */
function caller() {
    return report.input.tasks === report.input.threads ? "rank" : "thread";
}

/* "prvcut cut --from 40% --to 50% lu.prv"; null where the trace cannot be read again */
function prvcut(words) {
    return data.trace ? "prvcut " + words + " " + data.trace : null;
}

/* "prvcut --iteration 62 --from 2s lu.prv": of the same loop, counted alike */
function cutAgain(words) {
    return prvcut((words + " " + data.options).trim());
}

/* Counted from --from, iterations have no names of their own: each is given one. */
function cutIterations(numbers) {
    var from = /--from '?([^ ']+)/.exec(data.options);
    return cutAgain("--iteration " + numbers + (from ? " -o it" + numbers + "-from-" + from[1] : ""));
}

/* Why an iteration is slow, where the page does not tell; counted from --from it would be another one. */
function whyAgain(number) {
    return data.options.trim() ? null : prvcut("profile --why " + number);
}

/* ---- parts of the page ---- */

/* { id, title, panel, button }: what is not on the first screen is under one of them. */
var tabs = [], panel = null;

/* The parts that follow are under this tab. */
function tab(title) {
    panel = make("div", { "class": "panel", role: "tabpanel" });
    tabs.push({ id: "", title: title, panel: panel, button: null });
}

/* A part that fails does not take the others with it. */
function built(build) {
    try {
        return build();
    } catch (e) {
        return make("p", { "class": "failed" }, "This part could not be drawn: " + e.message);
    }
}

/* What build returns is the part; nothing: the page has no such part. */
function section(id, title, build) {
    var content = built(build);
    if (!content || (Array.isArray(content) && content.filter(Boolean).length === 0))
        return;
    (panel || main).appendChild(make("section", { id: id, "aria-labelledby": id + "-h" },
        make("h2", { id: id + "-h" }, title), content));
    if (panel && panel.children.length === 1)
        tabs[tabs.length - 1].id = id;
}

function para(text) {
    return make("p", { "class": "text" }, text);
}

/* What a drawing shows, in one line below it. */
function explain(text) {
    return make("p", { "class": "more" }, text);
}

/* ---- tables ---- */

function cell(column, row) {
    var value = column.of(row);
    return make(column.head ? "th" : "td", { "class": column.kind, scope: column.head ? "row" : null },
        value === null || value === undefined ? "\u2013" : value);
}

function finder(rows) {
    var input = make("input", { type: "search", placeholder: "search", "aria-label": "Search in the table" });
    input.addEventListener("input", function () {
        var words = input.value.toLowerCase();
        rows.forEach(function (tr) {
            tr.hidden = tr.textContent.toLowerCase().indexOf(words) < 0;
        });
    });
    return input;
}

/* columns: { name, of(row), kind: "n" for numbers, head }. decorate(tr, row) may add to a row. */
/* Columns of words that say nothing of any row are left out; a number that is not told is told so. */
function toldOf(columns, rows) {
    return columns.filter(function (c, i) {
        return i === 0 || !rows.length || rows.some(function (row) {
            var value = c.of(row);
            return value !== "" && !(Array.isArray(value) && value.length === 0);
        });
    });
}

function table(kind, caption, all_of, rows, decorate) {
    var body = make("tbody"), columns = toldOf(all_of, rows), made, box, hint;
    made = rows.map(function (row) {
        var tr = make("tr", {}, columns.map(function (c) { return cell(c, row); }));
        body.appendChild(tr);
        if (decorate)
            decorate(tr, row);
        return tr;
    });
    hint = make("span", { "class": "sideways", hidden: "" }, "scroll sideways for more \u2192");
    box = make("div", { "class": "scroll", tabindex: "0", role: "region", "aria-label": caption },
        make("table", { "class": kind },
            make("thead", {}, make("tr", {}, columns.map(function (c) {
                return make("th", { scope: "col", "class": c.kind }, c.name);
            }))), body));
    return make("div", { "class": "tablebox" },
        make("div", { "class": "caption" }, make("span", {}, caption),
            make("span", { "class": "right" }, hint, rows.length > 8 ? finder(made) : null)), box);
}

function showOverflow(root) {
    all(".tablebox", root).forEach(function (t) {
        var box = t.querySelector(".scroll"), wide = box.scrollWidth > box.clientWidth + 1;
        t.classList.toggle("wide", wide);
        t.querySelector(".sideways").hidden = !wide;
    });
}

function meter(share, kind) {
    var svg = drawn("svg", { width: "100%", height: 10, "aria-hidden": "true" });
    drawn("rect", { "class": "meter " + (kind || ""), height: 10,
        width: 100 * Math.max(0, Math.min(1, share || 0)) + "%" }, svg);
    return svg;
}

function swatch(kind) {
    var svg = drawn("svg", { "class": "swatch", width: 18, height: 12, "aria-hidden": "true" });
    drawn("rect", { "class": kind, width: 18, height: 12 }, svg);
    return svg;
}

function legend(items) {
    return make("ul", { "class": "legend" }, items.map(function (item) {
        return make("li", {}, swatch(item[0]), item[1]);
    }));
}

function capital(text) {
    return text.replace(/^./, function (a) { return a.toUpperCase(); });
}

/* ---- what the report says of regions and cuts ---- */

var regions = report.structure.regions, cuts = report.chops;
var loop = isNumber(report.structure.main) ? regions[report.structure.main] || null : null;

function regionName(r) {
    return isNumber(r.number) ? r.level + "." + r.number : "";
}

var KINDS = { initialisation: "start", masked: "disturbed", aperiodic: "no loop", end: "end" };

/* "1.4 loop A", "start", "trace flushes" */
function regionTitle(r) {
    if (isNumber(r.loop))
        return regionName(r) + " loop " + loopLetter(r.loop);
    return causeName(r.cause) || KINDS[r.kind] || r.kind;
}

var CAUSES = { flushing: "trace flushes", clogged: "slow messages" };

/* What disturbed it. */
function causeName(cause) {
    return CAUSES[cause] || cause;
}

function loopLetter(n) {
    return n > 26 ? String(n) : String.fromCharCode(64 + n);
}

function regionStyle(r) {
    if (isNumber(r.loop))
        return "loop loop" + (loop && r.loop === loop.loop ? 1 : 2 + r.loop % 2);
    return r.kind === "masked" ? "disturbed" : r.kind === "aperiodic" ? "aperiodic" : "quiet";
}

/* Of the region that a cut is from; old reports give its index, new ones its name. */
function regionOfCut(c) {
    if (typeof c.region === "number")
        return regions[c.region] || null;
    return regions.filter(function (r) { return regionName(r) === c.region; })[0] || null;
}

/* "2-3", "62": the numbers of its iterations; "" where they are not known. */
function cutNumbers(c) {
    var own = data.cuts[cuts.indexOf(c)];
    return !own ? "" : own.first === own.last ? String(own.first) : own.first + "-" + own.last;
}

function cutTitle(c) {
    var same = cuts.filter(function (o) { return o.kind === c.kind; });
    var name = c.kind === "outlier" ? "unusual iteration" : "cut";
    return same.length > 1 ? name + " " + (same.indexOf(c) + 1) : name;
}

/* The same as a heading begins. */
function cutHeading(c) {
    return capital(cutTitle(c));
}
