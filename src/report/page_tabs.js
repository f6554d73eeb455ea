/* Tabs, links into the page, keys, light and dark. */

var TAB_KEYS = { ArrowRight: 1, ArrowLeft: -1 }, opened = null, tabList = null;

function isUnder(t, id) {
    var e = document.getElementById(id);
    return Boolean(e) && t.panel.contains(e);
}

/* What stands on the tab is a name of it, too, whatever is the first part under it. */
function tabCalled(id) {
    return tabs.filter(function (t) { return t.title.split(" ")[0].toLowerCase() === id; })[0] || null;
}

/* Open the tab that a part is under; scroll: to that part. */
function openTab(id, scroll) {
    var found = tabs.filter(function (t) { return isUnder(t, id); })[0] || tabCalled(id), part = document.getElementById(id);
    if (!found)
        return false;
    if (found !== opened) {
        opened = found;
        tabs.forEach(function (t) {
            t.panel.hidden = t !== found;
            t.button.setAttribute("aria-selected", String(t === found));
            t.button.tabIndex = t === found ? 0 : -1;
        });
        drawAll(found.panel);
    }
    if (scroll)
        (found.id === id || !part ? found.panel : part).scrollIntoView();
    return true;
}

/* A link was made for another page, or typed wrongly: "#wait: nothing here is called so; ..." */
var nowhere = null;

function sayNowhere(id) {
    var known = iterations.length ? iterations[iterations.length - 1] : null;
    nowhere.textContent = short("#" + id, 40) + ": nothing in this page is called so. There are " +
        tabs.map(function (t) { return "#" + t.id; }).join(", ") + (known && order ? ", and #it" + iterations[0].n + " to #it" +
        (known.n + known.count - 1) + " for iterations." : "; no iterations are known.");
    nowhere.hidden = false;
    nowhere.scrollIntoView({ block: "center" });
}

/* #it62 picks an iteration, #waits opens the tab that this part is under. */
function followLink() {
    var id = location.hash.slice(1);
    nowhere.hidden = true;
    if (id === "top")
        window.scrollTo(0, 0);
    else if (id && !followIteration(location.hash) && !openTab(id, true))
        sayNowhere(id);
}

function tabButton(t, i) {
    t.button = make("button", { type: "button", role: "tab", id: "tab-" + t.id, "aria-controls": "panel-" + t.id,
        "aria-selected": "false", title: "Key " + (i + 1) }, t.title);
    t.panel.id = "panel-" + t.id;
    t.panel.setAttribute("aria-labelledby", t.button.id);
    t.button.addEventListener("click", function () { gotoTab(t); });
    t.button.addEventListener("keydown", function (e) {
        var next = tabs[(i + (TAB_KEYS[e.key] || 0) + tabs.length) % tabs.length];
        if (!TAB_KEYS[e.key])
            return;
        e.preventDefault();
        e.stopPropagation();
        gotoTab(next);
        next.button.focus({ preventScroll: true });
    });
    return t.button;
}

/* A link to it can be copied from the address. */
function gotoTab(t) {
    nowhere.hidden = true;
    history.replaceState(null, "", "#" + t.id);
    openTab(t.id, true);
}

/* Tabs without a part are none. All panels are seen until a tab is opened, so that they can be drawn. */
function putTabs() {
    var v = verdict();
    tabs = tabs.filter(function (t) { return t.id; });
    tabList = make("div", { role: "tablist", "aria-label": "Parts" }, tabs.map(tabButton));
    put(main, [make("nav", { "aria-label": "Page" }, make("a", { href: "#top", "class": "name", title: v[1] },
        make("i", { "class": "dot verdict " + v[0] }), short(report.input.name, 40)), tabList),
        nowhere = make("p", { "class": "nowhere", role: "status", hidden: "" }),
        tabs.map(function (t) { return t.panel; })]);
}

/* ---- light and dark ---- */

function themeButton() {
    var root = document.documentElement, b = make("button", { type: "button", id: "theme" });
    var dark = window.matchMedia("(prefers-color-scheme: dark)");
    function is() {
        return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
    }
    function say() {
        b.textContent = is() ? "Light" : "Dark";
        b.setAttribute("aria-label", "Switch to " + (is() ? "light" : "dark") + " colours");
    }
    b.addEventListener("click", function () {
        root.dataset.theme = is() ? "light" : "dark";
        say();
    });
    dark.addEventListener("change", say);
    say();
    return b;
}

/* ---- keys ---- */

var KEYS = [["w, s", "zoom in and out, at the pointer"], ["a, d", "move left and right"],
    ["0", "show all of a drawing"], [", .", "pick the iteration before, the one after"],
    ["1 to 9", "open a tab"], ["?", "list the keys"], ["Esc", "close this list, or show all of a drawing"]];

var MOUSE = [["drag", "zoom in on what is marked"], ["click on an iteration", "its command and its timeline"],
    ["click on a state's name", "show this state alone"], ["wheel", "zoom, once a drawing was clicked"],
    ["double click", "show all of a drawing"]];

var LINKS = [["#it62", "picks iteration 62"], ["#waits", "opens that tab; its name stands in the address"]];

function keyList(title, rows) {
    return [make("h3", {}, title), make("dl", { "class": "about" }, rows.map(function (r) {
        return [make("dt", {}, make("kbd", {}, r[0])), make("dd", {}, r[1])];
    }))];
}

var help = null;

function toggleHelp() {
    if (!help) {
        help = make("dialog", { id: "keys", "aria-label": "Keys" }, keyList("Keys", KEYS), keyList("Mouse", MOUSE),
            keyList("Links, behind this page's address", LINKS),
            make("p", { "class": "more" }, "Keys of drawings go to the one under the pointer, else to the first that is seen."),
            make("form", { method: "dialog" }, make("button", {}, "Close")));
        document.body.appendChild(help);
    }
    if (help.open)
        help.close();
    else
        help.showModal();
}

function helpButton() {
    var b = make("button", { type: "button", id: "help", "aria-label": "List the keys", title: "Keys: ?" }, "? keys");
    b.addEventListener("click", toggleHelp);
    return b;
}

/* True: the key means something here. */
function pressed(key) {
    var plot = plotOfKeys();
    if (key === "?")
        toggleHelp();
    else if (help && help.open)
        return false;
    else if (/^[1-9]$/.test(key) && tabs[key - 1])
        gotoTab(tabs[key - 1]);
    else if ((key === "," || key === ".") && order)
        pickNext(key === "," ? -1 : 1);
    else
        return Boolean(plot) && plot.key(key);
    return true;
}

function listenKeys() {
    document.addEventListener("keydown", function (e) {
        if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA)$/.test(e.target.tagName))
            return;
        if (pressed(e.key))
            e.preventDefault();
    });
}
