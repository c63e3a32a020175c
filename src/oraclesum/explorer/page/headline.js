// The result in words: how many oracles, how good, how sure, and what was maximised.

import { byId, copy, el, icon, replace } from "./dom.js";
import * as numbers from "./numbers.js";
import { loaded, hasConditions, isPartial, memberOf, nameMembers, on } from "./state.js";

const STATUS = {
  complete: ["check", "good", "Proven optimum, every oracle counted"],
  streamed: ["check", "good", "Proven optimum, counted without keeping every oracle"],
  list_limit: ["check", "good", "Proven optimum; only part of the oracles is kept"],
  heuristic: ["warn", "warn", "Found by a heuristic: the optimum may be higher"],
  no_overlap: ["warn", "warn", "There is no oracle: nothing that fits shares an n-gram with the references"],
};

// Status, icon and words for it; if time ran out, the bounds are given.
export function statusOf(family) {
  if (isPartial(family)) {
    const why = { time_limit: "Time ran out", memory_limit: "Memory ran out" }[family.status] ?? "Stopped early";
    const bound = numbers.score(family.upper_score);
    return family.proven
      ? ["clock", "warn", `${why}: the optimum is proven, but there may be more sets`]
      : ["clock", "warn", `${why}: the optimum lies between ${numbers.score(family.score)} and ${bound}`];
  }
  if (family.status === "no_overlap" && hasConditions(family.settings)) return ["warn", "warn", "No set of sentences meets your conditions"];
  if (family.status in STATUS && memberOf(family) === "set") {
    const [name, tone, words] = STATUS[family.status];
    return [name, tone, words.replace("every oracle", "every set").replace("of the oracles", "of the sets")];
  }
  return STATUS[family.status] ?? ["warn", "warn", family.status];
}

const CANCEL_AFTER = 800;
let cancelTimer = 0;

export function setUpHeadline() {
  on("family", show);
  on("problem", showProblem);
  on("busy", (busy) => {
    byId("busy").hidden = !busy;
    clearTimeout(cancelTimer);
    byId("cancel").hidden = true;
    if (busy && loaded.about !== null) cancelTimer = setTimeout(() => (byId("cancel").hidden = false), CANCEL_AFTER);
    byId("headline").setAttribute("aria-busy", String(busy));
    document.body.classList.toggle("is-busy", busy);
    showStale();
  });
}

// A result of earlier settings is dimmed and says so; a link or a file of it would mislead.
function showStale() {
  document.body.classList.toggle("is-stale", loaded.pending && loaded.family !== null);
  for (const id of ["copy-link", "download"]) byId(id).disabled = loaded.family === null || loaded.pending;
}

function figure(value, unit, more) {
  return el("div", { class: "figure" }, el("span", { class: "value" }, value), el("span", { class: "unit" }, unit, more));
}

function show() {
  const { family } = loaded;
  showStale();
  document.title = family === null ? "oraclesum explorer" : `${family.id} · oraclesum explorer`;
  if (family === null) return showEmpty();
  showWhat(family);
  const exact = family.hits !== null ? ` · ${numbers.whole(family.hits)} of ${numbers.whole(family.total)}` : family.value.length < 16 ? ` · ${family.value}` : "";
  replace(
    byId("figures"),
    figure((isPartial(family) ? "at least " : "") + numbers.count(family.count), nameMembers(family) + (family.settings.top ? ` · top ${numbers.whole(family.settings.top)} with ties` : ""), exactDigits(family)),
    figure(numbers.score(family.score), family.measure + exact),
    isPartial(family)
      ? figure(numbers.whole(family.support.length), `${family.support.length === 1 ? "sentence" : "sentences"} in these sets`)
      : figure(numbers.whole(family.core.length), `in every ${memberOf(family)} · ${numbers.whole(family.support.length)} in at least one`),
    typeof family.greedy?.share === "number" && figure(numbers.percent(family.greedy.share), isPartial(family) ? "of the best so far by greedy" : "of the best by greedy"),
  );
  const [name, tone, words] = statusOf(family);
  replace(
    byId("told"),
    el(
      "div",
      { class: "status-line" },
      el("p", { class: "status earlier" }, icon("clock"), el("span", { class: "searching" }, "Searching."), el("strong", {}, "This is the result of the earlier settings")),
      el("p", { class: `status ${tone}` }, icon(name), el("strong", {}, words), el("span", { class: "took" }, ` in ${numbers.seconds(family.seconds)}`)),
      el("button", { type: "button", class: "signature link", title: "Copy the signature: every setting that moves a number", onclick: () => copy(family.signature, "Signature") }, family.signature),
    ),
    el("p", { class: "objective", title: [...family.notes, family.objective].join("\n") }, [...family.notes, family.objective].map(numbers.asSentence).join(" ")),
  );
}

function exactDigits(family) {
  if (!numbers.isLong(family.count)) return null;
  const all = numbers.whole(family.count);
  return el("details", { class: "digits" }, el("summary", {}, "all digits"), el("p", {}, all));
}

function showWhat(family) {
  const words = family.sentences.reduce((sum, sentence) => sum + sentence.words, 0);
  replace(
    byId("what"),
    el("strong", {}, family.id),
    ` — ${numbers.plural(family.sentences.length, "sentence")}, ${numbers.plural(words, "word")}, ${numbers.plural(family.references.length, "reference")}`,
  );
}

function showEmpty() {
  replace(byId("what"));
  replace(byId("figures"), el("p", { class: "hint" }, "Choose a topic, paste a document with references, or open a file."));
  replace(byId("told"));
}

// An error that belongs to no field stands where the result would.
function showProblem(message, retry) {
  if (message === null) return;
  showStale();
  replace(byId("figures"), el("div", { class: "problem", role: "alert" }, icon("warn"), el("p", {}, numbers.asSentence(message), loaded.family && el("span", { class: "soft" }, " What is shown below belongs to the settings before.")), retry && el("button", { type: "button", class: "button second small", onclick: retry }, "Try again")));
  replace(byId("told"));
}
