// The references with covered n-grams highlighted, and what the sentence pointed at is worth.

import { countHits, countNgrams, coveredOccurrences, cutRuns, marginal, wordsOf } from "./coverage.js";
import { byId, el, hidden, replace } from "./dom.js";
import { percent, plural, score, whole } from "./numbers.js";
import { hasConditions, loaded, isPartial, memberOf, on, overlaidSystem, shownSets, workingSet } from "./state.js";

export function setUpReferences() {
  on("family", draw);
  on("overlay", draw);
  on("hover", draw);
}

function draw() {
  const { family } = loaded;
  if (family === null) {
    replace(byId("references"), el("p", { class: "empty" }, "The references appear here."));
    replace(byId("reference-legend"));
    replace(byId("inspector"));
    return;
  }
  const layers = chooseLayers(family);
  drawLegend(layers, family);
  const n = family.marked;
  const articles = family.references.map((reference, i) => drawReference(reference, i, layers, n));
  const used = (_, i) => family.references[i].used;
  replace(byId("references"), articles.filter(used), articles.filter((_, i) => !used(_, i)));
  drawInspector(family);
}

// Which n-grams are highlighted: of one or two sets on display, else of the oracles together.
function chooseLayers(family) {
  const sets = shownSets().slice(0, 2);
  const layers = sets.map((set) => ({ name: `set-${set.letter}`, label: set.name, letter: set.letter, counts: countNgrams(family, set.sentences) }));
  if (layers.length === 0) {
    // Which sentences are in every oracle is not known if the search was stopped.
    if (!isPartial(family)) layers.push({ name: "core", label: "by core sentences", counts: countNgrams(family, family.core) });
    layers.push({ name: "some", label: `by some ${memberOf(family)}`, counts: countNgrams(family, family.support) });
  }
  if (loaded.hover !== null) layers.push({ name: "point", label: `sentence ${loaded.hover}`, counts: countNgrams(family, [loaded.hover]) });
  return layers;
}

function drawLegend(layers, family) {
  const point = layers.find((layer) => layer.name === "point");
  if (point) {
    const each = family.references.filter((one) => one.used).map((one) => coveredOccurrences(one, point.counts).length);
    const told = each.length > 8 ? plural(each.reduce((sum, hits) => sum + hits, 0), "hit") : `${each.join(" + ")} ${each.length === 1 && each[0] === 1 ? "hit" : "hits"}`;
    replace(byId("reference-legend"), el("span", { class: "key" }, el("mark", { class: "point" }, `sentence ${loaded.hover}`), told));
    return;
  }
  const sets = layers.filter((layer) => layer.letter);
  const keys = sets.length
    ? [
        ...sets.map((set) => el("span", { class: "key" }, el("mark", { class: sets.length > 1 ? `only-${set.letter}` : `set-${set.letter}` }, set.letter), sets.length > 1 ? `only ${set.label}` : `covered by ${set.label}`)),
        sets.length > 1 && el("span", { class: "key" }, el("mark", { class: "set-both" }, sets.map((set) => set.letter).join("")), "both"),
      ]
    : isPartial(family)
      ? [el("span", { class: "key" }, el("mark", { class: "some" }, "some"), "of the sets found so far covers it; what all cover is not known")]
      : [el("span", { class: "key" }, el("mark", { class: "core" }, "core"), `every ${memberOf(family)}`), el("span", { class: "key" }, el("mark", { class: "some" }, "some"), `some ${memberOf(family)} covers it`)];
  replace(byId("reference-legend"), keys);
}

function drawReference(reference, i, layers, n) {
  const firsts = Object.fromEntries(layers.map((layer) => [layer.name, reference.used ? coveredOccurrences(reference, layer.counts) : []]));
  const runs = cutRuns(reference.text, reference.tokens, n, firsts);
  const shown = layers.filter((layer) => layer.name !== "point");
  const main = shown.length === 2 && shown[1].name === "some" ? shown[1] : shown[0];
  const covered = firsts[main.name].length;
  const told = reference.used ? `${whole(covered)} of ${whole(reference.ngrams.length)} n-grams` : "not used";
  return el(
    "article",
    { class: reference.used ? "reference" : "reference unused", "aria-label": `Reference ${i}` },
    el("h3", {}, `Reference ${i}`, el("span", {}, told)),
    el("p", { class: "text" }, runs.map((run) => (run.names.length ? el("mark", { class: nameRun(run.names, shown) }, run.text) : run.text))),
  );
}

// Two sets: only the one, only the other, both. Core wins over "some", which it implies.
function nameRun(names, shown) {
  const point = names.includes("point") ? " point" : "";
  const sets = shown.filter((layer) => names.includes(layer.name));
  if (sets.length === 0) return point.trim();
  if (!sets[0].letter) return sets[0].name + point;
  if (sets.length === 2) return `set-both${point}`;
  return (shown.length === 2 ? `only-${sets[0].letter}` : sets[0].name) + point;
}

// Always two lines high, so that pointing at a sentence moves nothing.
function drawInspector(family) {
  const box = byId("inspector");
  const working = workingSet();
  if (loaded.hover === null) {
    replace(box, working ? describeSet(family, working) : el("p", { class: "hint" }, "Point at a sentence to see what it covers. Click sentences (or press the space bar) to build a summary of your own; ✓ and ✕ say what must be in and what must not."));
    return;
  }
  const sentence = family.sentences[loaded.hover];
  const worth = marginal(family, loaded.hover, working?.sentences ?? null);
  const rate = sentence.words ? worth.alone / sentence.words : 0;
  replace(
    box,
    fact(`Sentence ${loaded.hover}`, plural(sentence.words, "word")),
    fact(isPartial(family) ? "of the sets found so far" : `in ${memberOf(family)}s`, sentence.candidate ? percent(sentence.inclusion) : "cannot help"),
    fact("hits alone", `${whole(worth.alone)} (${rate.toFixed(2)} a word)`),
    working && fact(worth.inside ? `${working.letter} without it` : `added to ${working.letter}`, `${worth.inside ? "−" : "+"}${whole(worth.difference)} hits`),
  );
}

const fact = (label, value) => el("div", { class: "fact" }, el("span", { class: "unit" }, label), el("span", { class: "value" }, value));

function describeSet(family, set) {
  const limit = family.settings.max_words;
  const words = wordsOf(family, set.sentences);
  const hits = countHits(family, countNgrams(family, set.sentences));
  // N-grams that run from one sentence into the next are counted by the server alone.
  const known = family.hits !== null && family.settings.boundaries === "within";
  const below = (family.hits ?? 0) - hits;
  const best = hasConditions(family.settings) ? "best" : "oracle";
  // Of a system, only what was found in the document is a set of sentences.
  const partial = set.letter === "S" && overlaidSystem()?.unmatched?.length > 0;
  const over = limit !== null && words > limit;
  return [
    fact(partial ? `${set.name}, found part` : set.name, plural(set.sentences.length, "sentence")),
    fact("words", el("span", { class: over ? "over" : "" }, limit === null ? whole(words) : `${whole(words)} of ${whole(limit)}${over ? " – too long" : ""}`)),
    // What a set is worth under another objective than recall does not follow from its hits.
    !known && fact(`hits of ROUGE-${family.marked}`, whole(hits)),
    known && fact("hits", `${whole(hits)} of ${whole(family.total)}`),
    known && fact("recall", score(family.total ? hits / family.total : 0)),
    known && fact(family.proven ? `to the ${best}` : "to the best found", below > 0 ? `−${whole(below)} hits` : below === 0 ? (family.proven ? "optimal" : "as good") : `+${whole(-below)} hits`),
    hidden(over ? "This set is longer than the limit allows." : ""),
  ];
}
