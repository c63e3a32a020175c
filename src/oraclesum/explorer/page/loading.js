// Asks the server for what is chosen: one search at a time, and what was overlaid comes back.

import * as api from "./api.js";
import { announce } from "./announce.js";
import { statusOf } from "./headline.js";
import { plural, score } from "./numbers.js";
import { clearErrors, showError } from "./settings.js";
import { chosen, effectiveSettings, emit, held, memberOf } from "./state.js";
import { measurePasted } from "./systems.js";

let request = null; // the search under way; a newer one takes its place
let source = null; // the document that the family on display belongs to
let ranks = { a: null, b: null }; // oracles wanted of the family that is searched
const BUSY_AFTER = 120; // quick answers show no bar

// Enumerates what is chosen and shows it. Throws what the server refuses, if `loud`.
// Oracles chosen while it runs are of the family before: `again` leaves those out.
export async function load({ loud = false, again = false } = {}) {
  request?.abort();
  const mine = new AbortController();
  request = mine;
  const target = chosen.topic !== null ? { topic: chosen.topic } : held.document;
  if (target === null) {
    held.family = null;
    held.pending = false;
    emit("family");
    emit("busy", false);
    return;
  }
  if (!again) ranks = { a: chosen.a, b: chosen.b };
  held.pending = true;
  const timer = setTimeout(() => emit("busy", true), BUSY_AFTER);
  try {
    const family = await api.family(target, { ...effectiveSettings() }, mine.signal);
    if (mine.signal.aborted) return;
    held.family = family;
    held.pending = false;
    source = chosen.topic ?? chosen.doc;
    Object.assign(chosen, ranks);
    clearErrors();
    await restoreOverlays(mine.signal);
    emit("family");
    emit("overlay");
    announce(`${plural(family.count, memberOf(family))}, recall ${score(family.score)}. ${statusOf(family)[2]}.`);
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

// The server keeps a limited number of families; one that it let go is searched once more.
let lately = 0;

export function again() {
  if (Date.now() - lately < 2000) return;
  lately = Date.now();
  load();
}

// A document that failed leaves nothing of the one before on display.
function dropOther() {
  if (held.family === null || source === (chosen.topic ?? chosen.doc)) return;
  held.family = null;
  emit("family");
}

function showProblem(error) {
  const field = error.field?.split(".").at(-1) ?? "";
  if (showError(field, error.message) && held.family !== null) announce(error.message);
  else emit("problem", error.message, () => load({ again: true }));
}

// Oracles and systems named by the address, for the family that was just found.
async function restoreOverlays(signal) {
  const { family } = held;
  const inside = (i) => i < family.sentences.length;
  chosen.pick = chosen.pick.filter(inside);
  for (const [rank, set] of [["a", "setA"], ["b", "setB"]]) {
    held[set] = null;
    if (chosen[rank] === null) continue;
    if (BigInt(chosen[rank]) < BigInt(family.count)) {
      const page = await api.oracles(family.key, { offset: chosen[rank], limit: 1, sort: "text" }, signal).catch(() => null);
      held[set] = page?.oracles[0]?.sentences ?? null;
    }
    if (held[set] === null) chosen[rank] = null;
  }
  held.ownSystem = chosen.own === null ? null : await measurePasted(chosen.own, signal).catch(() => null);
}

// A different document or setting has different oracles: ranks mean nothing there.
export function forgetOracles() {
  Object.assign(chosen, { a: null, b: null });
  Object.assign(held, { setA: null, setB: null });
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
  held.ownSystem = measured;
  chosen.own = text;
}
