// Sentences that must be in every set or in none: they are chosen in the document, and a bar says what they cost.

import { byId, el, hidden, replace } from "./dom.js";
import { asSentence, count, score } from "./numbers.js";
import { chosen, effectiveSettings, emit, hasConditions, isOfChosen, loaded, isPartial, nameMembers, on, withoutHits } from "./state.js";

const KINDS = [
  ["required", "✓", "must be in"],
  ["forbidden", "✕", "must not be in"],
];
const OTHER = { required: "forbidden", forbidden: "required" };
let changeSettings = null;
let acted = false; // a condition was changed here, and not by a link
let failed = false; // the search for what is chosen now gave no result

export function setUpConditions(change) {
  changeSettings = change;
  on("conditions", draw);
  on("family", () => {
    failed = false;
    draw();
  });
  on("problem", () => {
    failed = loaded.pending;
    draw();
  });
}

// The buttons of a sentence; the document sees to clicks on them and to which can be reached by Tab.
export function drawButtons(sentence) {
  return el(
    "span",
    { class: "acts" },
    KINDS.map(([kind, sign, words]) => el("button", { type: "button", class: "act", tabindex: "-1", "data-act": kind, "aria-pressed": "false", "aria-label": `Sentence ${sentence} ${words}`, title: `${asSentence(words).slice(0, -1)} (${kind === "required" ? "I" : "X"})` }, sign)),
  );
}

// "required", "forbidden" or nothing, as a map from sentences.
export function allConditions() {
  const settings = effectiveSettings();
  return new Map(KINDS.flatMap(([kind]) => (settings[kind] ?? []).map((i) => [i, kind])));
}

export const signOf = (kind) => KINDS.find(([one]) => one === kind)[1];
export const wordsOf = (kind) => KINDS.find(([one]) => one === kind)[2];

// A sentence gets a condition, changes it for the other, or loses the one it has.
export function toggleCondition(sentence, kind) {
  if (!isOfChosen() && loaded.family !== null) return; // of the document before
  const settings = effectiveSettings();
  const had = settings[kind].includes(sentence);
  const without = (list) => list.filter((i) => i !== sentence);
  const next = had ? without(settings[kind]) : [...settings[kind], sentence].sort((x, y) => x - y);
  apply({ [kind]: next, [OTHER[kind]]: without(settings[OTHER[kind]]) });
}

function apply(conditions) {
  chosen.settings = { ...chosen.settings, ...conditions };
  if (hasConditions(chosen.settings)) chosen.settings = withoutHits(chosen.settings);
  acted = true;
  failed = false;
  loaded.pending = true;
  emit("conditions");
  changeSettings({ push: true });
}

// What stands below the bar stays where it is, under the pointer that may click again.
function draw() {
  const before = byId("conditions").offsetHeight;
  fillBar();
  if (acted) byId("document-scroll").scrollTop += byId("conditions").offsetHeight - before;
  acted &&= !byId("conditions").hidden;
}

function fillBar() {
  const bar = byId("conditions");
  const settings = { required: [], forbidden: [], ...effectiveSettings() };
  bar.hidden = !hasConditions(settings);
  if (bar.hidden) return replace(bar);
  const focus = document.activeElement?.closest?.("#conditions button")?.dataset.chip;
  replace(
    bar,
    el(
      "div",
      { class: "chosen-conditions" },
      KINDS.filter(([kind]) => settings[kind].length).map(([kind, sign, words]) =>
        el(
          "span",
          { class: `condition ${kind}` },
          el("span", {}, `${sign} ${words}`),
          settings[kind].map((i) => el("button", { type: "button", class: "chip-button", "data-chip": `${kind} ${i}`, title: "Take it off", "aria-label": `Take the condition off sentence ${i}`, onclick: () => toggleCondition(i, kind) }, i, " ×")),
        ),
      ),
    ),
    el("button", { type: "button", class: "quiet small", id: "clear-conditions", "data-chip": "clear", onclick: () => apply({ required: [], forbidden: [] }) }, "Clear", hidden(" all conditions")),
    el("p", { class: "cost", id: "cost" }, drawCost()),
  );
  if (focus !== undefined) (bar.querySelector(`[data-chip="${focus}"]`) ?? byId("clear-conditions")).focus();
}

// The cost as [in bold, the rest]; nothing if there is no result to speak of.
function findCost() {
  const { family, base } = loaded;
  if (loaded.pending) return ["", failed ? "No result; the message above says why." : "Searching."];
  if (family === null || !hasConditions(family.settings)) return ["", ""];
  if (family.status === "no_overlap") return ["Cannot be met.", family.notes.map(asSentence).join(" ")];
  const left = `${count(family.count)} ${nameMembers(family)}`;
  if (base === null) return ["", `${score(family.score)}, ${left}.`];
  const other = base.family;
  const all = `${left} (${count(other.count)} without conditions)`;
  const values = `${score(family.score)} instead of ${score(other.score)}`;
  if (isPartial(family) || isPartial(other)) return ["Cost not known:", `a search was stopped. Best found: ${values}.`];
  // Fractions in lowest terms: equal values are equal texts.
  if (family.value === other.value) return ["Costs nothing:", `still ${score(family.score)}. ${all}.`];
  const points = 100 * (other.score - family.score);
  const told = points < 0.01 ? "less than 0.01 points" : `${points.toFixed(2)} points`;
  return [`Costs ${told}:`, `${values}. ${all}.`];
}

function drawCost() {
  const [bold, rest] = findCost();
  return [bold && el("strong", {}, bold), bold && " ", rest];
}

export const tellCost = () => findCost().join(" ").trim();
