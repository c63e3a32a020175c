// The bar of settings: shows the current settings, takes changes, and shows what is wrong beside the field.

import { byId, debounce, el, replace } from "./dom.js";
import { plural } from "./numbers.js";
import { chosen, effectiveSettings, hasConditions, loaded, on, pointsOf, tellPoints, withoutHits } from "./state.js";

const LARGEST_N = 4;
let sliding = false; // the slider is at a limit that was not asked for yet
// What can be chosen here; any other objective can come with the address.
const OBJECTIVES = [
  ["", "recall"],
  ["r1-f1", "R1-F1"],
  ["r2-f1", "R2-F1"],
  ["r1-f1+r2-f1", "R1-F1 + R2-F1"],
  ["rlsum-f1", "RLsum-F1"],
  ["r1-f1+r2-f1+rlsum-f1", "R1 + R2 + RLsum, F1"],
];

// Which sets are kept: the number goes into the field, and is checked before.
const KEEP = {
  best: { label: "the best alone" },
  points: { label: "within … points", field: "within", start: 1, largest: 100, unit: "points below the best" },
  hits: { label: "within … hits", field: "within_hits", start: 1, largest: 1000, unit: "hits below the best" },
  top: { label: "the … best", field: "top", start: 10, largest: 10_000, unit: "best sets, with ties" },
};
const keptBy = (settings) => (settings.top > 0 ? "top" : settings.within_hits > 0 ? "hits" : pointsOf(settings.within) > 0 ? "points" : "best");

// `change(settings, {push})` is called with all differences from the defaults.
export function setUpSettings(change) {
  const set = (field, value, options) => {
    chosen.settings = { ...chosen.settings, [field]: value };
    change(options);
  };
  replace(
    byId("set-rouge"),
    Array.from({ length: LARGEST_N }, (_, i) => i + 1).map((n) =>
      el("label", {}, el("input", { type: "radio", name: "rouge", value: n, "aria-label": `ROUGE-${n} recall`, onchange: () => set("rouge", n, { push: true }) }), n),
    ),
  );
  replace(byId("set-objective"), OBJECTIVES.map(([value, name]) => el("option", { value }, name)));
  byId("set-objective").addEventListener("change", (event) => {
    const objective = event.target.value || null;
    const { max_words: words, max_sentences: sentences } = effectiveSettings();
    // Only recall has hits to be within, and only recall needs a limit.
    if (objective !== null) chosen.settings = { ...chosen.settings, within_hits: 0 };
    else if (words === null && sentences === null) chosen.settings = { ...chosen.settings, max_words: loaded.about.defaults.max_words };
    set("objective", objective, { push: true });
  });
  setUpLimit(set);
  const check = (id, field) =>
    byId(id).addEventListener("change", (event) => set(field, event.target.checked, { push: true }));
  check("set-stop", "remove_stopwords");
  check("set-stem", "stem");
  byId("set-language").addEventListener("change", (event) => chooseLanguage(event.target.value, change));
  byId("set-reference").addEventListener("change", (event) =>
    set("reference", event.target.value === "" ? null : Number(event.target.value), { push: true }),
  );
  byId("set-family").addEventListener("change", (event) => set("family", event.target.value, { push: true }));
  byId("set-boundaries").addEventListener("change", (event) => {
    chosen.settings = withoutHits(chosen.settings);
    set("boundaries", event.target.value, { push: true });
  });
  replace(byId("set-keep"), Object.entries(KEEP).map(([value, { label }]) => el("option", { value }, label)));
  byId("set-keep").addEventListener("change", (event) => keep(event.target.value, KEEP[event.target.value].start, change));
  byId("set-within").addEventListener("change", (event) => {
    const kind = byId("set-keep").value;
    const value = readNumber(event.target, kind);
    if (value !== null) keep(kind, value, change);
  });
  byId("more-toggle").addEventListener("click", () => openMore(byId("more").hidden));
  byId("settings").addEventListener("submit", (event) => event.preventDefault());
  byId("settings-toggle").addEventListener("click", () => {
    const open = byId("settings").classList.toggle("open");
    byId("settings-toggle").setAttribute("aria-expanded", String(open));
  });
  on("family", () => {
    if (loaded.family !== null && effectiveSettings().language === null) records.set(sourceOf(), loaded.family.settings.language);
    showSettings();
  });
}

function keep(kind, value, change) {
  showError("within", "");
  chosen.settings = { ...chosen.settings, within: "0", within_hits: 0, top: 0 };
  // Points are hundredths, written without rounding.
  if (kind === "points") chosen.settings.within = (value / 100).toFixed(6).replace(/0+$/, "").replace(/\.$/, "");
  else if (kind !== "best") chosen.settings[KEEP[kind].field] = value;
  change({ push: true });
}

function readNumber(input, kind) {
  const { largest } = KEEP[kind];
  if (kind !== "points") return readWhole(input, 1, largest, "within", `Give a whole number from 1 to ${largest}.`);
  const right = /^\d*\.?\d{1,4}$/.test(input.value) && Number(input.value) > 0 && Number(input.value) <= largest;
  showError("within", right ? "" : `Give a number of points up to ${largest}, with up to four decimals.`);
  return right ? Number(input.value) : null;
}

function openMore(open) {
  byId("more").hidden = !open;
  byId("more-toggle").setAttribute("aria-expanded", String(open));
}

function setUpLimit(set) {
  const range = byId("set-words-range");
  const number = byId("set-words");
  // While the slider moves, the newest position is asked for; letting go makes a place in history.
  const soon = debounce(90, (value) => {
    sliding = false;
    set("max_words", value, { push: false });
  });
  range.addEventListener("input", () => {
    sliding = true;
    number.value = range.value;
    showError("max_words", "");
    soon(Number(range.value));
  });
  range.addEventListener("change", () => {
    soon.cancel();
    sliding = false;
    set("max_words", Number(range.value), { push: true });
  });
  const readLimit = (input, field, unit) => () => {
    if (input.value.trim() === "" && input.validity.valid) {
      const next = { ...effectiveSettings(), [field]: null };
      const needed = next.objective === null && next.max_words === null && next.max_sentences === null;
      showError(field, needed ? "Recall grows with every sentence: it needs a limit." : "");
      if (!needed) set(field, null, { push: true });
      return;
    }
    const value = readWhole(input, 1, 100_000, field, `The limit is a whole number of ${unit} from 1 to 100,000.`);
    if (value !== null) set(field, value, { push: true });
  };
  number.addEventListener("change", readLimit(number, "max_words", "words"));
  byId("set-sentences").addEventListener("change", readLimit(byId("set-sentences"), "max_sentences", "sentences"));
}

// What a language must have for a setting, and what it is called if it is missing.
const NEEDS = { remove_stopwords: ["stop_words", "stop-word list"], stem: ["stem", "stemmer"] };
const wished = {}; // a person's own choice, kept while a language does not allow it
const records = new Map(); // the language of each record that was seen without a choice

const findLanguage = (code) => loaded.about.languages.find((one) => one.code === code) ?? null;
const sourceOf = () => chosen.topic ?? chosen.doc;

// The settings in another language: one without stemmer or stop words switches these off rather
// than fail, and the next that has them gets back what was chosen.
export function adaptTo(code) {
  const settings = effectiveSettings();
  const left = findLanguage(settings.language ?? records.get(sourceOf()));
  const entered = findLanguage(code ?? records.get(sourceOf()));
  const next = { ...chosen.settings, language: code };
  for (const [field, [need]] of Object.entries(NEEDS)) {
    if (left === null || left[need]) wished[field] = settings[field];
    next[field] = entered === null || entered[need] ? (wished[field] ?? settings[field]) : false;
  }
  return next;
}

function chooseLanguage(code, change) {
  chosen.settings = adaptTo(code === "" ? null : code);
  change({ push: true });
}

function readWhole(input, smallest, largest, field, message) {
  const value = Number(input.value);
  const right = input.value.trim() !== "" && Number.isInteger(value) && value >= smallest && value <= largest;
  showError(field, right ? "" : message);
  return right ? value : null;
}

const INPUTS_OF_WORDS = { remove_stopwords: "set-stop", stem: "set-stem" };
const INPUTS = {
  objective: "set-objective",
  max_words: "set-words",
  max_sentences: "set-sentences",
  language: "set-language",
  reference: "set-reference",
  within: "set-within",
  boundaries: "set-boundaries",
  remove_stopwords: "set-stop",
};

const SHARED = { stem: "language", within_hits: "within", top: "within" }; // a field without a place of its own

// Shows an error beside a field of the bar; says whether there is such a field.
export function showError(field, message) {
  const place = byId(`error-${SHARED[field] ?? field}`);
  if (place === null) return false;
  place.textContent = message;
  byId(INPUTS[SHARED[field] ?? field])?.setAttribute("aria-invalid", String(message !== ""));
  if (message !== "" && byId("more").contains(place)) openMore(true);
  place.classList.remove("leftwards");
  const beyond = place.getBoundingClientRect().right > document.documentElement.clientWidth;
  place.classList.toggle("leftwards", beyond);
  return true;
}

export function clearErrors() {
  for (const field of Object.keys(INPUTS)) showError(field, "");
}

// Writes the current settings into the controls.
export function showSettings() {
  if (loaded.about === null) return;
  const settings = effectiveSettings();
  for (const radio of byId("set-rouge").querySelectorAll("input")) radio.checked = Number(radio.value) === settings.rouge;
  showObjective(settings);
  for (const [id, field] of [["set-words", "max_words"], ["set-sentences", "max_sentences"]]) {
    if (document.activeElement !== byId(id) && !(sliding && field === "max_words")) byId(id).value = settings[field] ?? "";
  }
  if (!sliding) byId("set-words-range").value = settings.max_words ?? 400;
  byId("set-words-range").setAttribute("aria-valuetext", `${settings.max_words ?? "any number of"} words`);
  byId("set-stop").checked = settings.remove_stopwords;
  byId("set-stem").checked = settings.stem;
  byId("set-family").value = settings.family;
  byId("set-boundaries").value = settings.boundaries;
  const near = showKeep(settings);
  // What is in use can be seen.
  if (near !== "" || settings.family !== "all" || settings.boundaries !== "within") openMore(true);
  showLanguages(settings);
  showReferences(settings);
  const limits = [settings.max_words && `${settings.max_words} words`, settings.max_sentences && plural(settings.max_sentences, "sentence")].filter(Boolean);
  byId("settings-summary").textContent =
    `${settings.objective ?? `ROUGE-${settings.rouge} recall`} · ${limits.join(", ") || "no limit"}${settings.remove_stopwords ? " · no stop words" : ""}${settings.stem ? " · stems" : ""}${near && ` · ${near}`}`;
}

// Says in words what is kept beside the best, if anything is.
function showKeep(settings) {
  const kind = keptBy(settings);
  const { field, largest, unit } = KEEP[kind];
  const number = byId("set-within");
  const value = kind === "points" ? pointsOf(settings.within) : (settings[field] ?? "");
  byId("set-keep").value = kind;
  // Only recall has hits, and distances in hits go with limits alone.
  byId("set-keep").querySelector("[value=hits]").disabled = settings.objective !== null || settings.boundaries !== "within" || hasConditions(settings);
  number.hidden = kind === "best";
  if (kind === "best") return "";
  number.min = kind === "points" ? 0 : 1;
  number.max = largest;
  number.step = kind === "points" ? "any" : 1;
  number.setAttribute("aria-label", `How many ${unit}`);
  if (document.activeElement !== number) number.value = value;
  return kind === "top" ? `top ${value}` : `within ${kind === "points" ? tellPoints(value) : plural(value, "hit")}`;
}

// Other objectives than recall name their n-grams themselves.
function showObjective(settings) {
  const select = byId("set-objective");
  const value = settings.objective ?? "";
  if (![...select.options].some((option) => option.value === value)) select.append(el("option", { value }, value));
  select.value = value;
  byId("field-rouge").disabled = value !== "";
}

function showLanguages(settings) {
  const select = byId("set-language");
  if (select.options.length === 0 && loaded.about !== null) {
    select.append(el("option", { value: "" }, "of the record"));
    for (const { code, name } of loaded.about.languages) select.append(el("option", { value: code }, name));
  }
  select.value = settings.language ?? "";
  const language = findLanguage(settings.language ?? records.get(sourceOf()) ?? loaded.family?.settings.language);
  select.options[0].textContent = settings.language === null && language ? `${language.name} (record)` : "of the record";
  showMissing(language, settings);
}

// A control that the language leaves no use for says so, beside it and to those who hear the page.
function showMissing(language, settings) {
  const missing = [];
  for (const [field, [need, name]] of Object.entries(NEEDS)) {
    const input = byId(INPUTS_OF_WORDS[field]);
    const lacking = language !== null && !language[need];
    input.disabled = lacking && !settings[field];
    input.closest("label").title = lacking ? `There is no ${name} for ${language.name}.` : "";
    if (lacking) missing.push(`no ${name}`);
  }
  byId("hint-words").textContent = missing.length === 2 ? `: neither for ${language.name}` : missing.length ? `: ${missing[0]} for ${language.name}` : "";
}

function showReferences(settings) {
  const select = byId("set-reference");
  const number = loaded.family?.references.length ?? 0;
  const all = number === 1 ? "the only one" : number === 2 ? "both" : number ? `all ${number}` : "all";
  // The same options stay, or an open list would be closed.
  if (select.options[0]?.textContent !== all) replace(select, el("option", { value: "" }, all), number > 1 && Array.from({ length: number }, (_, i) => el("option", { value: i }, `only ${i}`)));
  select.value = settings.reference ?? "";
}
