// Keyboard shortcuts, and the dialog that lists them beside a reading guide.

import { byId, el, replace } from "./dom.js";
import { recall, remember } from "./theme.js";

const SILENT = "oraclesum-keys"; // "off" where a person does without single keys

const SHORTCUTS = [
  ["J / K", "next / previous oracle, from anywhere"],
  ["B", "hold oracle A as B, to compare"],
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
  ["Shading", "the stronger the shade of a sentence, the more oracles hold it. ◆ marks the core, which every oracle holds."],
  ["Numbers", "sentences and references are counted from 0, as in every file that oraclesum writes."],
  ["Highlights", "n-grams of the references that count as hits. A gap between two words is highlighted only where an n-gram spans it."],
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
