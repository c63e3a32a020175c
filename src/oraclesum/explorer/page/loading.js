// Opens what a person chose or an address names, and asks the server for it: one search at a time.

import { LONGEST_LINK, NOT_IN_ADDRESS, keepAddress, pack, readFragment, unpack } from "./address.js";
import * as api from "./api.js";
import { tellCost } from "./conditions.js";
import { showPane, showTab, showView } from "./controls.js";
import { announce, byId, notice } from "./dom.js";
import { findProblem } from "./file.js";
import { statusOf } from "./headline.js";
import { count, score } from "./numbers.js";
import { adaptTo, clearErrors, showError, showSettings } from "./settings.js";
import { chosen, effectiveSettings, emit, hasConditions, loaded, nameMembers } from "./state.js";
import { measurePasted } from "./systems.js";

let request = null; // the search under way; a newer one takes its place
let source = null; // the document that the family on display belongs to
let ranks = { a: null, b: null }; // oracles wanted of the family that is searched
const BUSY_AFTER = 120; // quick answers show no bar

// Enumerates what is chosen and shows it. Throws what the server refuses, if `loud`.
// Oracles chosen while it runs are of the family before: `again` leaves those out.
// Of a load that another one takes the place of, this is over when that one is.
export async function load(how) {
  const mine = loadOnce(how);
  latest = mine;
  await mine;
  while (latest !== mine) {
    const other = latest;
    await other.catch(() => {}); // whoever asked for it is told
    if (latest === other) return;
  }
}

let latest = null;

async function loadOnce({ loud = false, again = false } = {}) {
  request?.abort();
  const mine = new AbortController();
  request = mine;
  const target = chosen.topic !== null ? { topic: chosen.topic } : loaded.document;
  if (target === null) {
    loaded.family = null;
    loaded.pending = false;
    emit("family");
    emit("busy", false);
    return;
  }
  if (!again) ranks = { a: chosen.a, b: chosen.b };
  loaded.pending = true;
  clearErrors(); // of the settings before; what is told from now on stays
  const timer = setTimeout(() => emit("busy", true), BUSY_AFTER);
  try {
    const family = await api.family(target, { ...effectiveSettings() }, mine.signal);
    if (mine.signal.aborted) return;
    loaded.family = family;
    loaded.pending = false;
    source = chosen.topic ?? chosen.doc;
    Object.assign(chosen, ranks);
    if (loaded.base?.name !== nameBase()) loaded.base = hasConditions(family.settings) ? null : { name: nameBase(), family };
    await restoreOverlays(mine.signal);
    emit("family");
    emit("overlay");
    announce(`${count(family.count)} ${nameMembers(family)}, ${family.measure} ${score(family.score)}. ${tellCost()} ${statusOf(family)[2]}.`);
    if (loaded.base === null) findBase(target, mine.signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    dropOther();
    showProblem(error);
    if (loud) throw error;
  } finally {
    clearTimeout(timer);
    if (request === mine) emit("busy", false);
  }
}

// The same without conditions, which is what they are compared with.
function withoutConditions() {
  const { required: _, forbidden: __, ...rest } = effectiveSettings();
  return rest;
}

const nameBase = () => JSON.stringify([chosen.topic ?? chosen.doc, withoutConditions()]);

// Asked for only if it is not the result that was there before the first condition.
async function findBase(target, signal) {
  const name = nameBase();
  const family = await api.family(target, withoutConditions(), signal).catch(() => null);
  if (family === null || signal.aborted) return;
  loaded.base = { name, family };
  emit("conditions");
  announce(tellCost());
}

// The server keeps a limited number of families; one that it let go is searched once more.
let lately = 0;

export function again() {
  if (Date.now() - lately < 2000) return;
  lately = Date.now();
  load();
}

// A document that failed leaves nothing of the one before on display.
function dropOther() {
  if (loaded.family !== null && source === (chosen.topic ?? chosen.doc)) return;
  loaded.family = null;
  emit("family");
}

function showProblem(error) {
  const field = error.field?.split(".").at(-1) ?? "";
  if (showError(field, error.message) && loaded.family !== null) announce(error.message);
  else emit("problem", error.message, () => load({ again: true }));
}

// Oracles and systems named by the address, for the family that was just found.
async function restoreOverlays(signal) {
  const { family } = loaded;
  const inside = (i) => i < family.sentences.length;
  chosen.pick = chosen.pick.filter(inside);
  for (const [rank, set] of [["a", "setA"], ["b", "setB"]]) {
    loaded[set] = null;
    if (chosen[rank] === null) continue;
    if (BigInt(chosen[rank]) < BigInt(family.count)) {
      const page = await api.oracles(family.key, { offset: chosen[rank], limit: 1, sort: "text" }, signal).catch(() => null);
      loaded[set] = page?.oracles[0]?.sentences ?? null;
    }
    if (loaded[set] === null) chosen[rank] = null;
  }
  loaded.ownSystem = chosen.own === null ? null : await measurePasted(chosen.own, signal).catch(() => null);
}

// A different document or setting has different oracles: ranks mean nothing there.
export function forgetOracles() {
  Object.assign(chosen, { a: null, b: null });
  Object.assign(loaded, { setA: null, setB: null });
}

export function cancel() {
  request?.abort();
  dropOther();
  emit("busy", false);
  emit("problem", "The search was cancelled.", () => load({ again: true }));
}

// Measures a pasted summary; a family that the server let go is searched again first.
export async function takeSummary(text) {
  let measured;
  try {
    measured = await measurePasted(text);
  } catch (error) {
    if (error.status !== 410) throw error;
    await load();
    measured = await measurePasted(text);
  }
  loaded.ownSystem = measured;
  chosen.own = text;
}

// References and sentences of one document mean nothing in the next.
function forTheNext({ reference: _, required: __, forbidden: ___, ...rest }) {
  return rest;
}

export function openTopic(number) {
  if (chosen.topic === number) return;
  forgetOracles();
  Object.assign(chosen, { topic: number, doc: null, pick: [], system: null, own: null });
  chosen.settings = forTheNext(chosen.settings);
  loaded.document = null;
  loaded.longLink = false;
  keepAddress({ push: true });
  load();
  showPane("document");
}

export async function openDocument(record, language = null) {
  forgetOracles();
  loaded.document = record;
  const packed = await pack(record);
  loaded.longLink = packed.length > LONGEST_LINK;
  loaded.packed = loaded.longLink ? packed : null;
  Object.assign(chosen, { topic: null, doc: packed, pick: [], system: null, own: null });
  chosen.settings = forTheNext(chosen.settings);
  if (language !== null && loaded.about.languages.some((one) => one.code === language)) chosen.settings = adaptTo(language);
  emit("document");
  try {
    await load({ loud: true });
  } finally {
    keepAddress({ push: true }); // what failed stays the document that settings are tried on
  }
  showPane("document");
  if (loaded.longLink) notice("This document is too long to travel in a link; download the record instead.");
}

export async function restore() {
  readFragment(location.hash);
  let broken = false;
  if (chosen.doc === NOT_IN_ADDRESS && loaded.packed !== null) {
    chosen.doc = loaded.packed;
    loaded.longLink = true;
    loaded.document = await unpack(loaded.packed);
  } else if (chosen.doc !== null) {
    loaded.longLink = false;
    try {
      const document = await unpack(chosen.doc);
      if (findProblem(document) !== null) throw new Error("no document");
      loaded.document = document;
    } catch {
      chosen.doc = null;
      loaded.document = null;
      broken = true;
    }
  } else {
    loaded.document = null;
    loaded.longLink = false;
  }
  if (chosen.topic === null && chosen.doc === null && loaded.about.corpus && location.hash.length < 2) chosen.topic = 0;
  showTab(byId("source-tabs"), chosen.doc !== null || loaded.about.corpus === null ? "paste" : "topics");
  showView(chosen.view);
  if (chosen.topic === null && loaded.document === null) chosen.pane = "source"; // where one begins
  showPane(chosen.pane);
  showSettings();
  emit("document");
  await load();
  if (broken) emit("problem", "The link contains a document that cannot be read: it may have been cut off.", null);
}
