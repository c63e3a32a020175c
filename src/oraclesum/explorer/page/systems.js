// System summaries: ROUGE of their text, and their sentences against all oracles, overlaid on the document.

import * as api from "./api.js";
import { announce, byId, el, hidden, replace, whenReleased } from "./dom.js";
import { asSentence, plural, score, whole } from "./numbers.js";
import { strip } from "./oracles.js";
import { allSystems, chosen, emit, loaded, isPartial, memberOf, on, overlaidSystem, systemKey } from "./state.js";

let form = null;
let shown = null; // everything above the form
let handlers = null;

// `overlay(key)` shows a system or none; `paste(text)` measures and keeps a pasted summary, and says
// whether it did: not if another one or another document took its place.
export function setUpSystems({ overlay, paste }) {
  handlers = { overlay, paste };
  form = drawForm();
  shown = el("div", { class: "shown" });
  on("family", draw);
  on("overlay", draw);
  on("view", draw);
}

function draw() {
  if (chosen.view !== "systems") return;
  const panel = byId("panel-systems");
  if (loaded.family === null) {
    replace(panel, el("p", { class: "empty" }, "No document yet."));
    return;
  }
  measureGreedy();
  const focus = document.activeElement?.dataset?.system;
  const systems = allSystems();
  replace(shown, drawTable(systems), drawMeaning(systems), drawNearest(overlaidSystem()));
  // The form stays where it is: moved, it would lose the focus, and what is typed or clicked just then.
  if (form.parentNode !== panel) replace(panel, shown, form);
  if (focus !== undefined) panel.querySelector(`[data-system="${CSS.escape(focus)}"]`)?.focus();
}

// The family's own answer has only the greedy summary's hits inside sentences, which the headline
// compares with the best; the rest is asked for when looked at.
async function measureGreedy() {
  const { family } = loaded;
  if (family.greedy === null || family.greedy.asked) return;
  family.greedy.asked = true;
  try {
    const measured = await api.overlap(family.key, family.greedy.sentences);
    const { hits, score } = family.greedy;
    Object.assign(family.greedy, measured, { name: "greedy", hits, score, text: measured });
    whenReleased(() => family === loaded.family && draw());
  } catch (error) {
    family.greedy.asked = false; // the next look asks again
    if (error.status === 410 && family === loaded.family) emit("lost");
  }
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
  "Precision: the share of its sentences that an oracle contains, averaged over all oracles",
  "Recall: the share of an oracle's sentences that it contains, averaged over all oracles",
  "F: harmonic mean of the two",
  "Hits of its whole text, as ROUGE-1.5.5 counts",
  "ROUGE recall of its whole text, as ROUGE-1.5.5 counts",
  "How much it lies below the best, both counted inside sentences",
];

function drawSystem(system) {
  const { family } = loaded;
  const key = systemKey(system);
  const on = chosen.system === key;
  const text = system.text ?? system; // of the greedy summary, measured later
  const waiting = text.objective_score === undefined;
  return el(
    "tr",
    { class: on ? "chosen" : "" },
    el("th", { scope: "row" }, el("button", { type: "button", class: "link name", "aria-pressed": String(on), "data-system": key, onclick: () => toggle(system) }, on && el("span", { class: "badge badge-S" }, "S"), system.label), " ", flags(system)),
    isPartial(family)
      ? el("td", { class: "right soft", colspan: 3 }, "not known")
      : [system.precision, system.recall, system.f_measure].map((value) => el("td", { class: "right" }, value?.toFixed(3) ?? "–")),
    el("td", { class: "right hits" }, (text.hits ?? null) === null || waiting ? "–" : whole(text.hits)),
    el("td", { class: "right" }, waiting ? "–" : score(text.score)),
    el("td", { class: "right gap" }, waiting ? "–" : drawGap(family.score - text.objective_score)),
  );
}

function drawGap(gap) {
  if (Math.abs(gap) < 1e-12) return "0"; // the same fraction, rounded twice
  return gap > 0 ? `−${score(gap)}` : `+${score(-gap)}`;
}

// What the numbers are of, once for all systems.
function drawMeaning(systems) {
  const { family } = loaded;
  const best = `Gap: to the best${family.proven ? "" : " found so far"}`;
  const meaning =
    family.hits === null
      ? `Score: ${family.measure} of the text. ${best}. `
      : `Hits and score: ${family.measure} of the whole text, as ROUGE-1.5.5 counts and “oraclesum evaluate” writes. ${best}, both counted inside sentences${family.marked === 1 ? "" : "; ROUGE-1.5.5 also counts across them, which makes a small difference"}. `;
  return el(
    "p",
    { class: "hint meaning" },
    meaning,
    isPartial(family) ? "P, R and F are not known: they need all oracles, and the search was stopped. " : `P, R and F: the sentences found in the document, against all ${memberOf(family)}s. `,
    systems.some((system) => system.feasible === false) && "A system that is too long was scored uncut and can pass the best.",
  );
}

// What keeps a comparison from being fair is said beside the name, in few letters: phones are narrow.
function flags(system) {
  const limit = loaded.family.settings.max_words;
  const flag = (title, ...words) => el("span", { class: "flag", title }, words);
  const overWords = limit !== null && system.words > limit;
  return [
    system.feasible === false && flag("Longer than the limit allows", overWords ? [hidden("too long: "), `${whole(system.words)} of ${whole(limit)} w`] : "too long"),
    system.unmatched?.length > 0 && flag(`${tellFound(system)} in the document. Not found: ${system.unmatched.join(" ⏎ ")}`, `${whole(system.sentences.length)} of ${whole(system.sentences.length + system.unmatched.length)}`, hidden(" sentences"), " found"),
    !system.unmatched?.length && system.sentences.length === 0 && flag(null, "empty"),
  ];
}

// How much of a summary the document contains, which is all that P, R, F and the overlay know of.
function tellFound(system) {
  const found = system.sentences.length;
  return `${whole(found)} of ${plural(found + system.unmatched.length, "sentence")} found`;
}

function toggle(system) {
  const key = systemKey(system);
  const off = chosen.system === key;
  handlers.overlay(off ? null : key);
  announce(off ? `${system.label} is no longer overlaid` : `${system.label} is overlaid on the document, F ${system.f_measure?.toFixed(3) ?? "not known"}`);
}

function drawNearest(system) {
  if (system === null) return el("p", { class: "hint" }, "Choose a system to overlay it on the document and to sort oracles by their distance to it.");
  const length = loaded.family.sentences.length;
  const line = (name, badge, sentences) => el("div", { class: "nearest-row" }, badge ? el("span", { class: `badge badge-${badge}` }, badge) : el("span"), el("span", {}, name), strip(sentences, length), el("span", { class: "members" }, sentences.join(" ") || "none"));
  const part = system.unmatched?.length ? el("p", { class: "soft" }, `${tellFound(system)} in the document: ${plural(system.aligned_words, "word")}${system.aligned_hits === null ? "" : ` with ${plural(system.aligned_hits, "hit")} inside sentences`}. Only these are overlaid.`) : null;
  const unknown = isPartial(loaded.family) ? el("p", { class: "soft" }, "The nearest oracle is not known: the search was stopped.") : null;
  if (!system.nearest) return el("div", { class: "nearest" }, line(system.label, "S", system.sentences), part, unknown);
  const { nearest } = system;
  const mine = new Set(system.sentences);
  const near = new Set(nearest);
  const distance = system.sentences.filter((i) => !near.has(i)).length + nearest.filter((i) => !mine.has(i)).length;
  return el("div", { class: "nearest" }, line(system.label, "S", system.sentences), line(`nearest ${memberOf(loaded.family)}`, null, nearest), part, el("p", { class: "soft" }, distance === 0 ? `${part ? "What was found" : "It"} is one of the ${memberOf(loaded.family)}s.` : `${plural(distance, "sentence")} in one of the two only`));
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
      if (!(await handlers.paste(value))) return;
      handlers.overlay(":own");
      announce("The pasted summary is overlaid on the document");
    } catch (problem) {
      error.textContent = asSentence(problem.message);
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
    const sentences = chosen.pick.map((i) => loaded.family.sentences[i].text).join("\n");
    text.value = sentences;
    form.requestSubmit();
  }
}

// A pasted summary is matched line by line if it has several, else split by the server.
export function measurePasted(family, text, signal) {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return api.overlap(family.key, lines.length > 1 ? lines : text, signal);
}
