// Controls around the panes: tabs, the colour theme, keyboard shortcuts and the dialog that lists them.

import { byId, el, replace } from "./dom.js";
import { chosen, emit } from "./state.js";

export function setUpTabs(list, choose) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];
  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) choose(tab.dataset.tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    if (at === -1) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    let next = null;
    if (step) next = tabs[(at + step + tabs.length) % tabs.length];
    if (event.key === "Home") next = tabs[0];
    if (event.key === "End") next = tabs.at(-1);
    if (next === null) return;
    event.preventDefault();
    next.focus();
    choose(next.dataset.tab);
  });
}

// Shows which tab is chosen; panels that do not belong to it are hidden.
export function showTab(list, name) {
  for (const tab of list.querySelectorAll('[role="tab"]')) {
    const on = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls"));
    if (panel) panel.hidden = !on;
  }
}

// The tab of the analysis.
export function showView(view, { focus = false } = {}) {
  chosen.view = view;
  showTab(byId("analysis-tabs"), view);
  emit("view");
  if (focus) byId(`tab-${view}`).focus();
}

// The pane that fills a narrow screen; wide ones show all.
export function showPane(pane) {
  chosen.pane = pane;
  document.body.dataset.pane = pane;
  for (const button of byId("pane-nav").children) {
    if (button.dataset.pane === pane) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  emit("view");
}

const KEY = "oraclesum-theme";

// Small choices that outlive the page; storage may be forbidden, and then they simply do not.
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // not kept for the next visit, which is no harm
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const current = () => document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");

function show() {
  const other = current() === "dark" ? "light" : "dark";
  byId("theme").setAttribute("aria-label", `Switch to ${other} colours`);
  byId("theme").title = `Switch to ${other} colours (T)`;
}

export function toggleTheme() {
  const next = current() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  remember(KEY, next);
  show();
}

export function setUpTheme() {
  const theme = recall(KEY);
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  byId("theme").addEventListener("click", toggleTheme);
  dark.addEventListener("change", show);
  show();
}

const SILENT = "oraclesum-keys"; // "off" if a person does without single keys

const SHORTCUTS = [
  ["J / K", "next / previous oracle, from anywhere"],
  ["B", "keep oracle A as B, to compare"],
  ["I / X", "this sentence must be in / must not be in"],
  ["Escape", "take oracles and picked sentences off"],
  ["1 – 5", "oracles, compare, systems, curve, reproduce"],
  ["/", "search topics"],
  ["G", "go to the document"],
  ["O", "go to the list of oracles"],
  ["[ / ]", "limit ten words down / up"],
  ["L", "copy a link to this view"],
  ["D", "download the record"],
  ["T", "light or dark"],
  ["?", "this list"],
];

const GUIDE = [
  ["Shading", "the stronger the shade of a sentence, the more oracles contain it. ◆ marks the core, which every oracle contains."],
  ["Numbers", "sentences and references are counted from 0, as in every file that oraclesum writes."],
  ["Highlights", "n-grams of the references that count as hits. A gap between two words is highlighted only if an n-gram spans it."],
  ["Conditions", "✓ and ✕ beside a sentence: it must be in every set, or in none. The bar above the document says what that costs; a point is 0.01 of the score."],
  ["Letters", "A and B are oracles from the list, S an overlaid system, P the sentences you picked."],
];

export function setUpGuide() {
  const dialog = byId("guide");
  replace(
    dialog,
    el("header", {}, el("h2", { id: "guide-title" }, "Keys, and how to read this page"), el("button", { type: "button", class: "quiet small", onclick: () => dialog.close() }, "Close")),
    el("div", { class: "guide-body" }, el("dl", { class: "keys" }, SHORTCUTS.map(([key, what]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)))), el("dl", { class: "reading-guide" }, GUIDE.map(([name, what]) => el("div", {}, el("dt", {}, name), el("dd", {}, what))))),
  );
  const keys = el("input", { type: "checkbox", id: "single-keys", onchange: (event) => remember(SILENT, event.target.checked ? "on" : "off") });
  keys.checked = recall(SILENT) !== "off";
  dialog.append(el("label", { class: "check" }, keys, el("span", {}, "Single keys are shortcuts (turn off for speech input)")));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // the backdrop
  });
  byId("help").addEventListener("click", () => dialog.showModal());
}

// `actions` maps a key to what it does. Keys typed into a field mean letters.
export function setUpKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const typing = event.target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");
    if (typing || byId("guide").open || !byId("single-keys").checked) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
