// System summaries against all oracles: P, R, F, score, gap, nearest oracle; overlaid on the document.

import * as api from "./api.js";
import { announce } from "./announce.js";
import { byId, el, hidden, replace } from "./dom.js";
import { plural, score, whole } from "./numbers.js";
import { allSystems, chosen, held, on, overlaidSystem, systemKey } from "./state.js";
import { strip } from "./oracles.js";

let form = null;
let handlers = null;

// `overlay(key)` shows a system or none; `paste(text)` keeps a pasted summary (null: none).
export function setUpSystems({ overlay, paste }) {
  handlers = { overlay, paste };
  form = drawForm();
  on("family", draw);
  on("overlay", draw);
  on("view", draw);
}

function draw() {
  if (chosen.view !== "systems") return;
  const panel = byId("panel-systems");
  if (held.family === null) {
    replace(panel, el("p", { class: "empty" }, "No document yet."));
    return;
  }
  measureGreedy();
  const focus = document.activeElement?.dataset?.system;
  const systems = allSystems();
  replace(panel, drawTable(systems), drawNearest(overlaidSystem()), form);
  if (focus !== undefined) panel.querySelector(`[data-system="${CSS.escape(focus)}"]`)?.focus();
}

// The family's own answer has no overlap of the greedy summary; it is asked for when looked at.
async function measureGreedy() {
  const { family } = held;
  if (family.greedy.precision !== undefined || family.greedy.asked) return;
  family.greedy.asked = true;
  const measured = await api.overlap(family.key, family.greedy.sentences).catch(() => ({}));
  Object.assign(family.greedy, measured, { name: "greedy" });
  if (family === held.family) draw();
}

function drawTable(systems) {
  return el(
    "table",
    { class: "numbers" },
    el("caption", { class: "visually-hidden" }, "Systems against all oracles"),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "System"), ["P", "R", "F", "hits", "score", "gap"].map((name, i) => el("th", { scope: "col", class: `right ${name}`, title: TITLES[i] }, name)))),
    el("tbody", {}, systems.map(drawSystem)),
  );
}

const TITLES = [
  "Precision: the share of its sentences that an oracle holds, averaged over all oracles",
  "Recall: the share of an oracle's sentences that it holds, averaged over all oracles",
  "F: harmonic mean of the two",
  "Hits of its sentences",
  "ROUGE recall of its sentences",
  "How much its score lies below the best",
];

function drawSystem(system) {
  const { family } = held;
  const key = systemKey(system);
  const on = chosen.system === key;
  const gap = family.score - system.score;
  return el(
    "tr",
    { class: on ? "chosen" : "" },
    el("th", { scope: "row" }, el("button", { type: "button", class: "link name", "aria-pressed": String(on), "data-system": key, onclick: () => toggle(system) }, on && el("span", { class: "badge badge-S" }, "S"), system.label), " ", flags(system)),
    [system.precision, system.recall, system.f_measure].map((value) => el("td", { class: "right" }, value === undefined ? "–" : value.toFixed(3))),
    el("td", { class: "right hits" }, whole(system.hits)),
    el("td", { class: "right" }, score(system.score)),
    el("td", { class: "right gap" }, gap > 0 ? `−${score(gap)}` : gap === 0 ? "0" : `+${score(-gap)}`),
  );
}

// What keeps a comparison from being fair is said beside the name.
function flags(system) {
  const told = [];
  if (system.feasible === false) told.push("too long");
  if (system.unmatched?.length) told.push(`${plural(system.unmatched.length, "sentence")} not found`);
  if (system.sentences.length === 0) told.push("empty");
  return told.map((text) => el("span", { class: "flag", title: text.endsWith("found") ? system.unmatched.join(" ⏎ ") : null }, text));
}

function toggle(system) {
  const key = systemKey(system);
  const off = chosen.system === key;
  handlers.overlay(off ? null : key);
  announce(off ? `${system.label} is no longer overlaid` : `${system.label} is overlaid on the document, F ${system.f_measure?.toFixed(3) ?? "unknown"}`);
}

function drawNearest(system) {
  if (system === null) return el("p", { class: "hint" }, "Choose a system to overlay it on the document and to sort oracles by their distance to it.");
  const length = held.family.sentences.length;
  const line = (name, badge, sentences) => el("div", { class: "nearest-row" }, badge ? el("span", { class: `badge badge-${badge}` }, badge) : el("span"), el("span", {}, name), strip(sentences, length), el("span", { class: "members" }, sentences.join(" ") || "none"));
  if (!system.nearest) return el("div", { class: "nearest" }, line(system.label, "S", system.sentences));
  const { nearest } = system;
  const mine = new Set(system.sentences);
  const near = new Set(nearest);
  const distance = system.sentences.filter((i) => !near.has(i)).length + nearest.filter((i) => !mine.has(i)).length;
  return el("div", { class: "nearest" }, line(system.label, "S", system.sentences), line("nearest oracle", null, nearest), el("p", { class: "soft" }, distance === 0 ? "It is one of the oracles." : `${plural(distance, "sentence")} in one of the two only`));
}

function drawForm() {
  const error = el("p", { class: "error", id: "own-error", role: "alert" });
  const text = el("textarea", { id: "own-text", rows: 3, placeholder: "Its sentences as they stand in the document", "aria-describedby": "own-error" });
  const submit = async (event) => {
    event.preventDefault();
    error.textContent = "";
    text.setAttribute("aria-invalid", "false");
    const value = text.value.trim();
    if (value === "") {
      error.textContent = "Paste a summary first.";
      text.setAttribute("aria-invalid", "true");
      return;
    }
    try {
      await handlers.paste(value);
      handlers.overlay(":own");
      announce("The pasted summary is overlaid on the document");
    } catch (problem) {
      error.textContent = problem.message;
      text.setAttribute("aria-invalid", "true");
    }
  };
  return el(
    "form",
    { class: "own", novalidate: true, onsubmit: submit },
    el("label", { for: "own-text" }, "Paste a system summary"),
    text,
    error,
    el("div", { class: "line" }, el("button", { type: "submit", class: "button second small" }, "Overlay it"), el("button", { type: "button", class: "quiet small", onclick: () => overlayPick() }, "Use your picked sentences", hidden(" as a system"))),
  );

  async function overlayPick() {
    if (chosen.pick.length === 0) {
      error.textContent = "Click sentences of the document first.";
      return;
    }
    const sentences = chosen.pick.map((i) => held.family.sentences[i].text).join("\n");
    text.value = sentences;
    form.requestSubmit();
  }
}

// A pasted summary is matched line by line where it has lines, else split by the server.
export function measurePasted(text, signal) {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return api.overlap(held.family.key, lines.length > 1 ? lines : text, signal);
}
