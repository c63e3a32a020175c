// Opens what a person chose or an address names, and asks the server for it: one search at a time.

import { LONGEST_LINK, NOT_IN_ADDRESS, keepAddress, pack, readFragment, unpack } from "./address.js";
import * as api from "./api.js";
import { tellCost } from "./conditions.js";
import { showPane, showTab, showView } from "./controls.js";
import { announce, byId, notice, whenReleased } from "./dom.js";
import { findProblem } from "./file.js";
import { statusOf } from "./headline.js";
import { count, score } from "./numbers.js";
import { adaptTo, clearErrors, showError, showSettings } from "./settings.js";
import { chosen, chosenSource, effectiveSettings, emit, hasConditions, isOfChosen, loaded, nameMembers } from "./state.js";
import { measurePasted } from "./systems.js";

let request = null; // the latest search; a newer one takes its place
let searching = false; // whether it is under way
let ranks = { a: null, b: null }; // oracles wanted of the family that is searched
let opening = 0; // counts what was asked to be opened: only the latest is
let unpacking = null; // the document of the address
const BUSY_AFTER = 120; // quick answers show no bar

// Enumerates what is chosen and shows it. Throws what the server refuses, if `loud`.
// Oracles chosen while it runs are of the family before: `again` leaves those out.
// Of a load that another one takes the place of, this is over when that one is.
export async function load(how) {
  const mine = loadOnce(how);
  latest = mine;
  await mine;
  if (latest !== mine) await wait();
}

// Until no search is under way.
async function wait() {
  for (let other = null; latest !== other; ) {
    other = latest;
    await other?.catch(() => {}); // whoever asked for it is told
  }
}

let latest = null;

async function loadOnce({ loud = false, again = false } = {}) {
  request?.abort();
  const mine = new AbortController();
  request = mine;
  searching = true;
  if (!again) ranks = { a: chosen.a, b: chosen.b };
  if (unpacking !== null) await unpacking;
  if (mine.signal.aborted) return;
  const target = chosen.topic !== null ? { topic: chosen.topic } : loaded.document;
  if (target === null) {
    searching = false;
    loaded.family = null;
    loaded.pending = false;
    emit("family");
    emit("busy", false);
    return;
  }
  loaded.pending = true;
  clearErrors(); // of the settings before; what is told from now on stays
  const timer = setTimeout(() => emit("busy", true), BUSY_AFTER);
  try {
    const family = await api.family(target, { ...effectiveSettings() }, mine.signal);
    let overlays;
    do {
      overlays = await findOverlays(family, mine.signal);
      await new Promise(whenReleased);
      if (mine.signal.aborted) return;
    } while (overlays.own !== chosen.own); // pasted meanwhile
    // All at once, and shown at once: a family is never beside sets or rows of another.
    loaded.family = family;
    loaded.source = chosenSource();
    loaded.pending = false;
    Object.assign(chosen, { a: overlays.a, b: overlays.b, pick: chosen.pick.filter((i) => i < family.sentences.length) });
    Object.assign(loaded, { setA: overlays.setA, setB: overlays.setB, ownSystem: overlays.ownSystem });
    if (loaded.base?.name !== nameBase()) loaded.base = hasConditions(family.settings) ? null : { name: nameBase(), family };
    emit("family");
    emit("overlay");
    if (ranks.a !== null || ranks.b !== null) keepAddress(); // which leaves them out while it is searched
    announce(`${count(family.count)} ${nameMembers(family)}, ${family.measure} ${score(family.score)}. ${tellCost()} ${statusOf(family)[2]}.`);
    if (loaded.base === null) findBase(target, mine.signal);
  } catch (error) {
    if (error.name === "AbortError" || mine.signal.aborted) return;
    dropOther();
    showProblem(error);
    if (loud) throw error;
  } finally {
    clearTimeout(timer);
    if (request === mine) {
      searching = false;
      emit("busy", false);
    }
  }
}

// The same without conditions, which is what they are compared with.
function withoutConditions() {
  const { required: _, forbidden: __, ...rest } = effectiveSettings();
  return rest;
}

const nameBase = () => JSON.stringify([chosenSource(), withoutConditions()]);

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
  if (searching || Date.now() - lately < 2000) return; // what is searched takes its place
  lately = Date.now();
  load();
}

// A document that failed leaves nothing of the one before on display.
function dropOther() {
  if (isOfChosen()) return;
  loaded.family = null;
  emit("family");
}

function showProblem(error) {
  const field = error.field?.split(".").at(-1) ?? "";
  if (showError(field, error.message) && loaded.family !== null) announce(error.message);
  else emit("problem", error.message, () => load({ again: true }));
}

// Oracles and systems named by the address, of the family that was just found.
async function findOverlays(family, signal) {
  const { own } = chosen;
  const find = async (rank) => {
    if (rank === null || BigInt(rank) >= BigInt(family.count)) return null;
    const page = await api.oracles(family.key, { offset: rank, limit: 1, sort: "text" }, signal).catch(() => null);
    return page?.oracles[0]?.sentences ?? null;
  };
  const setA = await find(ranks.a);
  const setB = await find(ranks.b);
  const ownSystem = own === null ? null : await measurePasted(family, own, signal).catch(() => null);
  return { a: setA && ranks.a, b: setB && ranks.b, own, setA, setB, ownSystem };
}

// A different document or setting has different oracles: ranks mean nothing there.
export function forgetOracles() {
  Object.assign(chosen, { a: null, b: null });
  Object.assign(loaded, { setA: null, setB: null });
}

export function cancel() {
  request?.abort();
  searching = false;
  dropOther();
  emit("busy", false);
  emit("problem", "The search was cancelled.", () => load({ again: true }));
}

// Measures a pasted summary; a family that the server let go is searched again first, and one that
// takes its place meanwhile is asked as well. False if there is a newer summary or document.
export async function takeSummary(text) {
  taking += 1;
  const mine = taking;
  const source = chosenSource();
  const isLatest = () => mine === taking && source === chosenSource();
  for (let left = 2; isLatest(); ) {
    if (!isOfChosen()) await wait();
    if (!isLatest()) return false;
    const { family } = loaded;
    if (!isOfChosen()) throw new Error("there is no result to compare it with");
    try {
      const measured = await measurePasted(family, text);
      if (!isLatest()) return false;
      if (family !== loaded.family) continue;
      loaded.ownSystem = measured;
      chosen.own = text;
      return true;
    } catch (error) {
      if (!isLatest()) return false;
      left -= 1;
      if (error.status !== 410 || left === 0) throw error;
      if (!searching && family === loaded.family) await load();
      else await wait();
    }
  }
  return false;
}

let taking = 0; // counts the summaries

// References and sentences of one document mean nothing in the next.
function forTheNext({ reference: _, required: __, forbidden: ___, ...rest }) {
  return rest;
}

export function openTopic(number) {
  opening += 1;
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
  opening += 1;
  const mine = opening;
  const packed = await pack(record);
  if (mine !== opening) return;
  forgetOracles();
  loaded.document = record;
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

// Unpacks the document that is chosen, unless another one is opened meanwhile. False if it cannot be read.
async function unpackChosen(mine) {
  const document = await unpack(chosen.doc).catch(() => null);
  if (mine !== opening) return true;
  loaded.document = findProblem(document) === null ? document : null;
  if (loaded.document === null) chosen.doc = null;
  return loaded.document !== null;
}

export async function restore() {
  opening += 1;
  const mine = opening;
  readFragment(location.hash);
  showView(chosen.view);
  loaded.longLink = chosen.doc === NOT_IN_ADDRESS && loaded.packed !== null;
  if (loaded.longLink) chosen.doc = loaded.packed;
  let broken = false;
  if (chosen.doc === null) loaded.document = null;
  else {
    unpacking = unpackChosen(mine); // a search that begins meanwhile waits for it
    broken = !(await unpacking);
    if (mine !== opening) return;
    unpacking = null;
  }
  if (chosen.topic === null && chosen.doc === null && loaded.about.corpus && location.hash.length < 2) chosen.topic = 0;
  showTab(byId("source-tabs"), chosen.doc !== null || loaded.about.corpus === null ? "paste" : "topics");
  if (chosen.topic === null && loaded.document === null) chosen.pane = "source"; // where one begins
  showPane(chosen.pane);
  showSettings();
  emit("document");
  await load();
  if (broken) emit("problem", "The link contains a document that cannot be read: it may have been cut off.", null);
}
