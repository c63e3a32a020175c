// The document: every sentence shaded by inclusion, marked if it belongs to what is on display.

import { allConditions, drawButtons, signOf, toggleCondition, wordsOf } from "./conditions.js";
import { cutRuns } from "./coverage.js";
import { announce, byId, el, hidden, perFrame, replace, reveal } from "./dom.js";
import { percent, plural } from "./numbers.js";
import { chosen, emit, loaded, isPartial, memberOf, on, shownSets, tellInclusion } from "./state.js";

let rows = [];
let before = []; // letters of each sentence as they were last drawn
let active = 0; // the sentence that Tab reaches
let shown = new Map(); // sentences of each oracle and system on display, as they were last drawn
let source = null; // the document that was last drawn
let due = null; // a sentence to bring into view as soon as the document can be seen

export function setUpReading(changePick) {
  const box = byId("document");
  const point = perFrame((sentence) => setHover(sentence));
  box.addEventListener("mouseover", (event) => point(indexOf(event.target)));
  box.addEventListener("mouseleave", () => point(focused()));
  box.addEventListener("focusin", (event) => {
    const at = indexOf(event.target);
    if (at !== null) {
      activate(at);
      setHover(at);
    }
  });
  box.addEventListener("focusout", (event) => {
    if (indexOf(event.relatedTarget ?? document.body) === null) setHover(null);
  });
  box.addEventListener("click", (event) => {
    const at = indexOf(event.target);
    const act = event.target.closest("[data-act]");
    if (act !== null) {
      toggleCondition(at, act.dataset.act);
      return;
    }
    if (at === null || String(getSelection()).length > 0) return; // text is being selected
    toggle(at, changePick);
  });
  box.addEventListener("keydown", (event) => onKey(event, changePick));
  on("family", draw);
  on("overlay", mark);
  on("conditions", markConditions);
  on("hover", showHover);
  on("view", bringIntoView);
}

const indexOf = (node) => {
  const row = node.closest?.("[data-sentence]");
  return row ? Number(row.dataset.sentence) : null;
};
// A row clicked with the mouse has the focus too, but is no longer pointed at.
const focused = () => (document.activeElement.matches(":focus-visible") ? indexOf(document.activeElement) : null);

function setHover(sentence) {
  if (loaded.hover === sentence) return;
  const before = loaded.hover;
  loaded.hover = sentence;
  emit("hover", before);
}

function activate(at) {
  if (rows[active]) setStop(rows[active], -1);
  active = at;
  setStop(rows[at], 0);
}

// One sentence is a stop of the Tab key, and after it its buttons.
function setStop(row, index) {
  row.tabIndex = index;
  for (const button of row.querySelectorAll("[data-act]")) button.tabIndex = index;
}

function toggle(at, changePick) {
  const pick = new Set(chosen.pick);
  const added = !pick.delete(at);
  if (added) pick.add(at);
  changePick([...pick].sort((x, y) => x - y));
  announce(`Sentence ${at} ${added ? "added to" : "taken out of"} your pick`);
}

function onKey(event, changePick) {
  if (event.altKey || event.ctrlKey || event.metaKey || rows.length === 0) return;
  const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 10, PageUp: active - 10, Home: 0, End: rows.length - 1 };
  if (event.key in moves) {
    event.preventDefault();
    const next = Math.max(0, Math.min(rows.length - 1, moves[event.key]));
    activate(next);
    rows[next].focus({ preventScroll: true });
    reveal(byId("document-scroll"), rows[next]);
  } else if ((event.key === " " || event.key === "Enter") && event.target.closest("[data-act]") === null) {
    event.preventDefault();
    toggle(active, changePick);
  }
}

function draw() {
  const { family } = loaded;
  const box = byId("document");
  // The same document under other settings stays where it was, and so does the focus.
  const same = family !== null && source === (chosen.topic ?? chosen.doc);
  const kept = { top: same ? byId("document-scroll").scrollTop : 0, focus: box.contains(document.activeElement) ? (document.activeElement.dataset.act ?? "") : null };
  source = family === null ? null : (chosen.topic ?? chosen.doc);
  loaded.hover = null;
  rows = [];
  before = new Array(family?.sentences.length ?? 0).fill("");
  active = same ? Math.min(active, family.sentences.length - 1) : 0;
  shown = new Map();
  due = null;
  if (family === null) {
    replace(box, el("p", { class: "empty" }, loaded.pending ? "This document has no result; the message above says why." : "No document yet. Choose a topic, paste a document with its references, or open a file of JSON lines."));
    replace(byId("legend"));
    return;
  }
  let last = null;
  const nodes = [];
  family.sentences.forEach((sentence, i) => {
    if (sentence.document !== null && sentence.document !== last) {
      last = sentence.document;
      nodes.push(el("div", { class: "divider", role: "presentation" }, `Document ${last}`));
    }
    const row = drawSentence(sentence, i);
    rows.push(row);
    nodes.push(row);
  });
  const list = el("div", { class: family.sentences.length > 300 ? "sentences many" : "sentences", role: "grid", "aria-multiselectable": "true", "aria-label": "Sentences of the document; the space bar picks a sentence" }, nodes);
  replace(box, list);
  if (rows.length) setStop(rows[active], 0);
  byId("document-scroll").scrollTop = kept.top;
  drawLegend();
  mark();
  markConditions();
  if (same && kept.focus !== null) (rows[active].querySelector(`[data-act="${kept.focus}"]`) ?? rows[active]).focus({ preventScroll: true });
}

function drawSentence(sentence, i) {
  const kind = sentence.core ? "core" : sentence.inclusion > 0 ? "some" : sentence.candidate ? "never" : "useless";
  const member = memberOf(loaded.family);
  const every = isPartial(loaded.family) ? `in every ${member} found so far` : `core: in every ${member}`;
  const told = loaded.family.settings.forbidden.includes(i) ? wordsOf("forbidden") : { core: every, some: tellInclusion(loaded.family, sentence.inclusion, percent), never: `in no ${member}`, useless: "cannot help: shares nothing with the references, or is too long" }[kind];
  const tail = { core: "100 %", some: percent(sentence.inclusion), never: "0 %", useless: "–" }[kind];
  return el(
    "div",
    { class: `sentence ${kind}`, role: "row", tabindex: "-1", "aria-selected": "false", "data-sentence": i, vars: { "--share": sentence.inclusion } },
    el("span", { class: "number", role: "gridcell" }, hidden("Sentence "), i),
    el("span", { class: "marks", role: "gridcell" }, sentence.core && el("span", { class: "core-mark", "aria-hidden": "true" }, "◆")),
    el("span", { class: "text", role: "gridcell" }, sentence.text || hidden("empty sentence")),
    el("span", { class: "side", role: "gridcell", title: told }, hidden(`; ${told}; ${plural(sentence.words, "word")}`), el("span", { class: "share", "aria-hidden": "true" }, tail), el("span", { class: "words", "aria-hidden": "true" }, `${sentence.words} w`), drawButtons(i)),
  );
}

function drawLegend() {
  const members = `${memberOf(loaded.family)}s`;
  const steps = [0, 0.25, 0.5, 0.75, 1];
  replace(
    byId("legend"),
    el("span", { class: "scale", role: "img", "aria-label": `Shading: share of the ${members} that contain a sentence, from 0 to 100 %` }, el("span", {}, "in 0 %"), steps.map((step) => el("i", { vars: { "--share": step } })), el("span", {}, `100 % of ${members}${isPartial(loaded.family) ? " found so far" : ""}`)),
    !isPartial(loaded.family) && el("span", { class: "key" }, el("span", { class: "core-mark", "aria-hidden": "true" }, "◆"), "core"),
    el("span", { class: "key faded" }, "– cannot help"),
  );
}

// Letters of the sets that contain each sentence.
function mark() {
  if (loaded.family === null) return;
  const sets = shownSets().map((set) => ({ ...set, members: new Set(set.sentences) }));
  const anything = sets.length > 0;
  byId("document").classList.toggle("overlaid", anything);
  rows.forEach((row, i) => {
    const inside = sets.filter((set) => set.members.has(i));
    const letters = inside.map((set) => set.letter).join("");
    if (letters === before[i]) return;
    before[i] = letters;
    row.dataset.sets = letters;
    row.setAttribute("aria-selected", String(letters.includes("P")));
    row.classList.toggle("in-set", letters !== "");
    for (const old of row.querySelectorAll(".badge")) old.remove();
    const place = row.querySelector(".marks");
    for (const set of inside) place.append(el("span", { class: `badge badge-${set.letter}`, title: `in ${set.name}` }, hidden("in "), set.letter));
  });
  followChoice(sets);
}

// What must be in and what must not: a sign before the sentence, and its button pressed.
let marked = new Map();

function markConditions() {
  const now = allConditions();
  for (const i of new Set([...marked.keys(), ...now.keys()])) {
    const row = rows[i];
    if (row === undefined) continue;
    const kind = now.get(i);
    row.querySelector(".sign")?.remove();
    row.classList.toggle("required", kind === "required");
    row.classList.toggle("forbidden", kind === "forbidden");
    for (const button of row.querySelectorAll("[data-act]")) button.setAttribute("aria-pressed", String(button.dataset.act === kind));
    if (kind !== undefined) row.querySelector(".marks").prepend(el("span", { class: "sign", title: wordsOf(kind) }, hidden(`${wordsOf(kind)} `), el("span", { "aria-hidden": "true" }, signOf(kind))));
  }
  marked = now;
}

// An oracle or a system that was just chosen comes into view with its first sentence. Sentences
// picked by hand are looked at already: for them nothing moves.
function followChoice(sets) {
  const before = shown;
  shown = new Map(sets.filter((set) => set.letter !== "P").map((set) => [set.letter, set.sentences.join(" ")]));
  const fresh = sets.find((set) => shown.has(set.letter) && shown.get(set.letter) !== before.get(set.letter));
  if (fresh === undefined || fresh.sentences.length === 0) return;
  due = fresh.sentences[0];
  bringIntoView();
}

// At once and not gliding, since arrow keys walk fast through the oracles. Rows far away have an
// estimated height until they are drawn, hence the second look.
function bringIntoView() {
  const box = byId("document-scroll");
  const row = rows[due];
  if (row === undefined || box.clientHeight === 0) return;
  due = null;
  reveal(box, row, { middle: true });
  requestAnimationFrame(() => row.isConnected && reveal(box, row, { middle: true }));
}

// Inside the sentence pointed at, the n-grams that occur in the references.
function showHover(left) {
  const { family } = loaded;
  if (family === null) return;
  if (left !== null && left !== undefined && rows[left]) {
    rows[left].classList.remove("pointed");
    rows[left].querySelector(".text").textContent = family.sentences[left].text;
  }
  const now = loaded.hover;
  if (now === null || !rows[now]) return;
  const sentence = family.sentences[now];
  rows[now].classList.add("pointed");
  const counting = ([id]) => family.ngrams[id].counts.some((times) => times > 0);
  const firsts = sentence.ngrams.filter(counting).map(([, first]) => first);
  const runs = cutRuns(sentence.text, sentence.tokens, family.marked, { point: firsts });
  if (sentence.text) replace(rows[now].querySelector(".text"), runs.map((run) => (run.names.length ? el("mark", { class: "point" }, run.text) : run.text)));
}
