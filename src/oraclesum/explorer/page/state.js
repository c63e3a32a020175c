// What the page shows, in one place: the part the address keeps, and what was fetched for it.

import { plural, whole } from "./numbers.js";

export const VIEWS = ["oracles", "compare", "systems", "curve", "reproduce"];
export const PANES = ["source", "document", "references", "analysis"];
export const UNITS = ["words", "sentences"];
export const SORTS = ["text", "length", "sentences", "position", "hits", "distance"];

// The part that the address keeps.
export const chosen = {
  topic: null, // number of a topic of the opened corpus
  doc: null, // a pasted or opened document, packed
  settings: {}, // differences from the server's defaults
  view: "oracles",
  pane: "document",
  a: null, // rank of oracle A, as digits
  b: null,
  system: null, // name of the overlaid system
  own: null, // a pasted system summary
  pick: [], // sentences chosen by hand
  by: "words", // what the curve is drawn against
  sort: "text",
  descending: false,
};

// What was fetched or is pointed at; never in the address.
export const loaded = {
  about: null,
  document: null, // the unpacked document behind `doc`
  packed: null, // what `doc` would be if it were not too long for the address
  family: null,
  source: null, // the document of that: a topic's number, or a packed one
  base: null, // the result of the same settings without conditions, or null as long as it is not known
  pending: false, // what is chosen has no result yet: the family is that of the choice before
  setA: null, // sentences of oracle A
  setB: null,
  ownSystem: null, // what the server says about the pasted summary
  hover: null, // sentence that is pointed at or focused
  longLink: false, // the document is too long for the address
};

const listeners = new Map();

// Events: "document", "family", "conditions", "overlay", "hover", "view", "busy", "problem".
export function on(event, action) {
  if (!listeners.has(event)) listeners.set(event, []);
  listeners.get(event).push(action);
}

export function emit(event, ...details) {
  for (const action of listeners.get(event) ?? []) action(...details);
}

// The document that is chosen; the family on display may still be that of another.
export const chosenSource = () => chosen.topic ?? chosen.doc;
export const isOfChosen = () => loaded.family !== null && loaded.source === chosenSource();

export function effectiveSettings() {
  return { ...(loaded.about?.defaults ?? {}), ...chosen.settings };
}

// Sentences that must be in every set, or in none.
export const hasConditions = (settings) => settings.required?.length > 0 || settings.forbidden?.length > 0;

// Whether the search ended before it had seen everything.
export const isPartial = (family) => ["time_limit", "memory_limit", "interrupted"].includes(family.status);

// Whether sets below the best belong to the family.
export const isNear = ({ settings }) => settings.within_hits > 0 || settings.top > 0 || pointsOf(settings.within) > 0;

// Distances in hits go with recall inside sentences and limits alone. The same distance, as a
// fraction of the total, goes with everything.
export function withoutHits(settings) {
  const hits = settings.within_hits ?? 0;
  if (hits === 0) return settings;
  return { ...settings, within_hits: 0, within: loaded.family?.total ? `${hits}/${loaded.family.total}` : "0" };
}

// A distance below the best in points, hundredths of the score; it is written as 0.005 or 1/200.
export function pointsOf(within) {
  const [above, below = 1] = within.split("/").map(Number);
  return Number(((100 * above) / below).toPrecision(6));
}

// What a family contains: oracles, if all of them are best and nothing but the limits restricts them.
export const memberOf = (family) => (isNear(family) || hasConditions(family.settings) || isPartial(family) ? "set" : "oracle");

// Its members in words, without their number: "oracles", "sets within 1 point of the best", "best sets".
export function nameMembers(family) {
  const { within_hits: hits, within, top } = family.settings;
  const many = family.count === "1" ? "" : "s";
  const found = isPartial(family) ? " found so far" : "";
  if (hits > 0) return `set${many} within ${plural(hits, "hit")} of the best${found}`;
  if (pointsOf(within) > 0) return `set${many} within ${tellPoints(pointsOf(within))} of the best${found}`;
  if (top > 0 || (hasConditions(family.settings) && found === "")) return `best set${many}${found}`;
  return `${memberOf(family)}${many}${found}`;
}

export const tellPoints = (points) => `${points} ${points === 1 ? "point" : "points"}`;

// How many members contain a sentence: exactly if there are few enough to read, else as a share.
export function tellInclusion(family, share, percent) {
  const all = family.count.length < 10 ? `${whole(Math.round(share * Number(family.count)))} of ${whole(family.count)}` : `${percent(share)} of the`;
  return `in ${all} ${nameMembers(family)}`;
}

// Every system that can be overlaid: greedy, those of the record, the pasted one, the hand-picked.
export function allSystems() {
  const { family } = loaded;
  if (family === null) return [];
  const systems = [];
  if (family.greedy) systems.push({ kind: "greedy", label: "greedy", ...family.greedy, name: "greedy" });
  for (const system of family.systems) systems.push({ kind: "record", label: system.name, ...system });
  if (loaded.ownSystem) systems.push({ ...loaded.ownSystem, kind: "own", label: "pasted summary", name: "pasted summary" });
  return systems;
}

// A system is known by kind and name, since a record may call its own system "greedy".
export const systemKey = (system) => (system.kind === "record" ? system.name : `:${system.kind}`);

export function overlaidSystem() {
  return allSystems().find((system) => systemKey(system) === chosen.system) ?? null;
}

// The sets on display, in order of precedence; each has a letter, so that colour is never alone.
export function shownSets() {
  const sets = [];
  if (loaded.family === null) return sets;
  if (loaded.setA) sets.push({ letter: "A", name: `${memberOf(loaded.family)} A`, sentences: loaded.setA });
  if (loaded.setB) sets.push({ letter: "B", name: `${memberOf(loaded.family)} B`, sentences: loaded.setB });
  const system = overlaidSystem();
  if (system) sets.push({ letter: "S", name: system.label, sentences: system.sentences });
  if (chosen.pick.length) sets.push({ letter: "P", name: "your pick", sentences: chosen.pick });
  return sets;
}

// The set that marginal numbers refer to: what is built by hand, else what is looked at.
export function workingSet() {
  const sets = shownSets();
  return sets.find((set) => set.letter === "P") ?? sets[0] ?? null;
}
