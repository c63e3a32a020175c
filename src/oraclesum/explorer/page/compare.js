// Two sets side by side: sentences in one, the other or both, and n-grams gained and lost.

import { differ, hitsOf, wordsOf } from "./coverage.js";
import { byId, el, replace } from "./dom.js";
import { count, plural } from "./numbers.js";
import { chosen, loaded, on, shownSets } from "./state.js";

const MAX_CHIPS = 60;

export function setUpCompare() {
  on("family", draw);
  on("overlay", draw);
  on("view", draw);
}

function draw() {
  const panel = byId("panel-compare");
  if (chosen.view !== "compare") return;
  const { family } = loaded;
  const sets = shownSets();
  if (family === null || sets.length < 2) {
    replace(panel, explain(sets));
    return;
  }
  const [x, y] = choosePair(sets);
  const inX = new Set(x.sentences);
  const inY = new Set(y.sentences);
  const { gained, lost } = differ(family, x.sentences, y.sentences);
  replace(
    panel,
    el("div", { class: "versus" }, summary(family, sets, x, 0), el("span", { class: "arrow", "aria-hidden": "true" }, "→"), summary(family, sets, y, 1)),
    el(
      "div",
      { class: "thirds" },
      column(family, `only ${x.letter}`, x.letter, x.sentences.filter((i) => !inY.has(i))),
      column(family, "both", "both", x.sentences.filter((i) => inY.has(i))),
      column(family, `only ${y.letter}`, y.letter, y.sentences.filter((i) => !inX.has(i))),
    ),
    chips(`N-grams lost from ${x.letter} to ${y.letter}`, lost, "−", x.letter),
    chips(`N-grams gained from ${x.letter} to ${y.letter}`, gained, "+", y.letter),
  );
}

function explain(sets) {
  const one = sets.length === 1 ? `${sets[0].name} is on display; one more is needed. ` : "";
  return el(
    "div",
    { class: "empty" },
    el("p", {}, `${one}Two sets on display are compared here.`),
    el("ul", {}, el("li", {}, "Choose an oracle in the list, press “Keep as B”, and choose another."), el("li", {}, "Or overlay a system, and choose an oracle."), el("li", {}, "Or click sentences of the document to build a set of your own.")),
  );
}

// Of more than two sets on display, the pair can be chosen; the first two are the start.
const wanted = [null, null];

function choosePair(sets) {
  const x = sets.find((set) => set.letter === wanted[0]) ?? sets.find((set) => set.letter !== wanted[1]);
  const y = sets.find((set) => set.letter === wanted[1] && set !== x) ?? sets.find((set) => set !== x);
  return [x, y];
}

// An oracle with its number in the list, by which it can be found again.
function nameOf(set) {
  const rank = { A: chosen.a, B: chosen.b }[set.letter] ?? null;
  return rank === null ? set.name : `${set.name} · #${count(String(BigInt(rank) + 1n))}`;
}

function chooser(sets, set, side) {
  if (sets.length < 3) return el("strong", {}, nameOf(set));
  const change = (event) => {
    wanted[side] = event.target.value;
    if (wanted[1 - side] === wanted[side]) wanted[1 - side] = set.letter; // they change places
    draw();
    byId("panel-compare").querySelectorAll("select")[side].focus();
  };
  const select = el("select", { "aria-label": side === 0 ? "First set" : "Second set", onchange: change }, sets.map((one) => el("option", { value: one.letter }, nameOf(one))));
  select.value = set.letter;
  return select;
}

function summary(family, sets, set, side) {
  const hits = hitsOf(family, set.sentences);
  return el(
    "div",
    { class: "side-of" },
    el("span", { class: `badge badge-${set.letter}` }, set.letter),
    chooser(sets, set, side),
    el("span", { class: "soft" }, `${plural(set.sentences.length, "sentence")} · ${plural(wordsOf(family, set.sentences), "word")} · ${plural(hits, "hit")}`),
  );
}

function column(family, title, kind, sentences) {
  return el(
    "section",
    { class: `third third-${kind}` },
    el("h3", {}, title, el("span", {}, sentences.length)),
    sentences.length ? el("ol", {}, sentences.map((i) => el("li", {}, el("span", { class: "number" }, i), el("span", { class: "short" }, family.sentences[i].text)))) : el("p", { class: "hint" }, "none"),
  );
}

function chips(title, entries, sign, letter) {
  const total = entries.reduce((sum, entry) => sum + entry.hits, 0);
  const more = entries.length - MAX_CHIPS;
  return el(
    "section",
    { class: "chips" },
    el("h3", {}, title, el("span", {}, total ? `${sign}${plural(total, "hit")}` : "")),
    entries.length
      ? el("ul", {}, entries.slice(0, MAX_CHIPS).map((entry) => el("li", { class: `chip chip-${letter}` }, entry.words, entry.hits > 1 && el("b", {}, ` ×${entry.hits}`))), more > 0 && el("li", { class: "hint" }, `and ${plural(more, "more", "more")}`))
      : el("p", { class: "hint" }, "none"),
  );
}
