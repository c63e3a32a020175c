// The bar of settings: shows the current settings, takes changes, and shows what is wrong beside the field.

import { byId, debounce, el, replace } from "./dom.js";
import { plural } from "./numbers.js";
import { chosen, effectiveSettings, loaded, on } from "./state.js";

const LARGEST_N = 4;
// What can be chosen here; any other objective can come with the address.
const OBJECTIVES = [
  ["", "recall"],
  ["r1-f1", "R1-F1"],
  ["r2-f1", "R2-F1"],
  ["r1-f1+r2-f1", "R1-F1 + R2-F1"],
  ["rlsum-f1", "RLsum-F1"],
  ["r1-f1+r2-f1+rlsum-f1", "R1 + R2 + RLsum, F1"],
];

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
  byId("set-within").addEventListener("change", (event) => {
    const value = readWhole(event.target, 0, 1000, "within_hits", "Within hits is a whole number from 0 to 1000.");
    if (value !== null) set("within_hits", value, { push: true });
  });
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

function setUpLimit(set) {
  const range = byId("set-words-range");
  const number = byId("set-words");
  // While the slider moves, the newest position is asked for; letting go makes a place in history.
  const soon = debounce(90, (value) => set("max_words", value, { push: false }));
  range.addEventListener("input", () => {
    number.value = range.value;
    showError("max_words", "");
    soon(Number(range.value));
  });
  range.addEventListener("change", () => {
    soon.cancel();
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
  within_hits: "set-within",
  remove_stopwords: "set-stop",
  stem: "set-language",
};

// Shows an error beside a field of the bar; says whether there is such a field.
export function showError(field, message) {
  const place = byId(`error-${field}`) ?? (field === "stem" ? byId("error-language") : null);
  if (place === null) return false;
  place.textContent = message;
  byId(INPUTS[field])?.setAttribute("aria-invalid", String(message !== ""));
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
    if (document.activeElement !== byId(id)) byId(id).value = settings[field] ?? "";
  }
  byId("set-words-range").value = settings.max_words ?? 400;
  byId("set-words-range").setAttribute("aria-valuetext", `${settings.max_words ?? "any number of"} words`);
  byId("set-stop").checked = settings.remove_stopwords;
  byId("set-stem").checked = settings.stem;
  byId("set-within").value = settings.within_hits;
  byId("set-family").value = settings.family;
  showLanguages(settings);
  showReferences(settings);
  const limits = [settings.max_words && `${settings.max_words} words`, settings.max_sentences && plural(settings.max_sentences, "sentence")].filter(Boolean);
  byId("settings-summary").textContent =
    `${settings.objective ?? `ROUGE-${settings.rouge} recall`} · ${limits.join(", ") || "no limit"}${settings.remove_stopwords ? " · no stop words" : ""}${settings.stem ? " · stems" : ""}`;
}

// Other objectives than recall name their n-grams themselves, and have no hits to be within.
function showObjective(settings) {
  const select = byId("set-objective");
  const value = settings.objective ?? "";
  if (![...select.options].some((option) => option.value === value)) select.append(el("option", { value }, value));
  select.value = value;
  byId("field-rouge").disabled = value !== "";
  byId("set-within").disabled = value !== "";
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
  replace(
    select,
    el("option", { value: "" }, number === 1 ? "the only one" : number === 2 ? "both" : number ? `all ${number}` : "all"),
    number > 1 && Array.from({ length: number }, (_, i) => el("option", { value: i }, `only ${i}`)),
  );
  select.value = settings.reference ?? "";
}
