// Wires the parts together: one request per change, and the address that remembers it.

import * as api from "./api.js";
import { keepAddress, readFragment, shareableLink } from "./address.js";
import { announce, copy, notice } from "./announce.js";
import { setUpCompare } from "./compare.js";
import { setUpCurve } from "./curve.js";
import { byId } from "./dom.js";
import { setUpFile } from "./file.js";
import { setUpGuide, setUpKeys } from "./guide.js";
import { setUpHeadline, statusOf } from "./headline.js";
import { LONGEST_LINK, isDocument, pack, unpack } from "./link.js";
import { plural, score } from "./numbers.js";
import { clearChoice, holdAsB, setUpOracles, stepOracle } from "./oracles.js";
import { setUpPaste } from "./paste.js";
import { setUpReading } from "./reading.js";
import { setUpReferences } from "./references.js";
import { setUpReproduce, startDownload } from "./reproduce.js";
import { clearErrors, setUpSettings, showError, showSettings } from "./settings.js";
import { VIEWS, chosen, effectiveSettings, emit, held, on } from "./state.js";
import { measurePasted, setUpSystems } from "./systems.js";
import { setUpTabs, showTab } from "./tabs.js";
import { setUpTheme, toggleTheme } from "./theme.js";
import { loadTopics, setUpTopics } from "./topics.js";

let request = null; // the search under way; a newer one takes its place
const BUSY_AFTER = 120; // quick answers show no bar

// Enumerates what is chosen and shows it. Throws what the server refuses, if `loud`.
async function load({ loud = false } = {}) {
  request?.abort();
  const mine = new AbortController();
  request = mine;
  const target = chosen.topic !== null ? { topic: chosen.topic } : held.document;
  if (target === null) {
    held.family = null;
    emit("family");
    return;
  }
  const timer = setTimeout(() => emit("busy", true), BUSY_AFTER);
  try {
    const family = await api.family(target, { ...effectiveSettings() }, mine.signal);
    if (mine.signal.aborted) return;
    held.family = family;
    clearErrors();
    await restoreOverlays(mine.signal);
    emit("family");
    emit("overlay");
    announce(`${plural(family.count, "oracle")}, recall ${score(family.score)}. ${statusOf(family)[2]}.`);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (loud) throw error;
    showProblem(error);
  } finally {
    clearTimeout(timer);
    if (request === mine) emit("busy", false);
  }
}

function showProblem(error) {
  const field = error.field?.split(".").at(-1) ?? "";
  if (showError(field, error.message)) announce(error.message);
  else emit("problem", error.message, () => load());
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
function forgetOracles() {
  Object.assign(chosen, { a: null, b: null });
  Object.assign(held, { setA: null, setB: null });
}

function changeSettings({ push = false } = {}) {
  forgetOracles();
  keepAddress({ push });
  showSettings();
  load();
}

function setLimit(words) {
  chosen.settings = { ...chosen.settings, max_words: words };
  changeSettings({ push: true });
}

function openTopic(number) {
  if (chosen.topic === number) return;
  forgetOracles();
  Object.assign(chosen, { topic: number, doc: null, pick: [], system: null, own: null });
  chosen.settings = { ...chosen.settings };
  delete chosen.settings.reference;
  held.document = null;
  held.longLink = false;
  keepAddress({ push: true });
  load();
  showPane("document");
}

async function openDocument(record, language = null) {
  const before = { ...chosen };
  const beforeDocument = held.document;
  forgetOracles();
  held.document = record;
  const packed = await pack(record);
  held.longLink = packed.length > LONGEST_LINK;
  Object.assign(chosen, { topic: null, doc: packed, pick: [], system: null, own: null });
  chosen.settings = { ...chosen.settings };
  delete chosen.settings.reference;
  if (language !== null && held.about.languages.some((one) => one.code === language)) chosen.settings.language = language;
  try {
    await load({ loud: true });
  } catch (error) {
    Object.assign(chosen, before);
    held.document = beforeDocument;
    throw error;
  }
  keepAddress({ push: true });
  emit("document");
  showPane("document");
  if (held.longLink) notice("This document is too long to travel in a link; download the record instead.");
}

async function restore() {
  readFragment(location.hash);
  let broken = false;
  if (chosen.doc !== null) {
    try {
      const document = await unpack(chosen.doc);
      if (!isDocument(document)) throw new Error("no document");
      held.document = document;
    } catch {
      chosen.doc = null;
      held.document = null;
      broken = true;
    }
  } else held.document = null;
  if (chosen.topic === null && chosen.doc === null && held.about.corpus && location.hash.length < 2) chosen.topic = 0;
  showTab(byId("source-tabs"), chosen.doc !== null || held.about.corpus === null ? "paste" : "topics");
  showView(chosen.view);
  showPane(chosen.pane);
  showSettings();
  emit("document");
  await load();
  if (broken) emit("problem", "The link holds a document that cannot be read: it may have been cut off.", null);
}

function showView(view, { focus = false } = {}) {
  chosen.view = view;
  showTab(byId("analysis-tabs"), view);
  emit("view");
  if (focus) byId(`tab-${view}`).focus();
}

function showPane(pane) {
  chosen.pane = pane;
  document.body.dataset.pane = pane;
  for (const button of byId("pane-nav").children) {
    if (button.dataset.pane === pane) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  emit("view");
}

function chooseOracle(change) {
  for (const name of ["a", "b"]) if (name in change) chosen[name] = change[name];
  for (const name of ["setA", "setB"]) if (name in change) held[name] = change[name];
  keepAddress();
  emit("overlay");
}

function changePick(pick) {
  chosen.pick = pick;
  keepAddress();
  emit("overlay");
}

function clearAll() {
  chosen.system = null;
  chosen.pick = [];
  clearChoice();
}

function copyLink() {
  const link = shareableLink();
  if (link === null) notice("This document is too long to travel in a link; download the record instead.");
  else copy(link, "Link");
}

const shiftLimit = (by) => () => setLimit(Math.max(10, Math.min(400, (effectiveSettings().max_words ?? 400) + by)));

function setUp() {
  setUpTheme();
  setUpGuide();
  setUpHeadline();
  setUpSettings(changeSettings);
  setUpTopics(openTopic);
  setUpPaste(openDocument);
  setUpFile(openDocument);
  setUpReading(changePick);
  setUpReferences();
  setUpOracles(chooseOracle);
  setUpCompare();
  setUpSystems({
    overlay: (key) => {
      chosen.system = key;
      keepAddress();
      emit("overlay");
    },
    paste: async (text) => {
      held.ownSystem = await measurePasted(text);
      chosen.own = text;
    },
  });
  setUpCurve(setLimit);
  setUpReproduce();
  setUpTabs(byId("source-tabs"), (name) => showTab(byId("source-tabs"), name));
  setUpTabs(byId("analysis-tabs"), (name) => {
    showView(name);
    keepAddress({ push: true });
  });
  byId("pane-nav").addEventListener("click", (event) => {
    const button = event.target.closest("[data-pane]");
    if (!button) return;
    showPane(button.dataset.pane);
    keepAddress({ push: true });
  });
  byId("copy-link").addEventListener("click", copyLink);
  byId("download").addEventListener("click", startDownload);
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the fragment holds the state
    focusDocument();
  });
  on("order", () => keepAddress());
  addEventListener("popstate", restore);
  setUpKeys(keyActions());
}

function focusDocument() {
  showPane("document");
  (byId("document").querySelector('[tabindex="0"]') ?? byId("document")).focus();
}

function keyActions() {
  const views = Object.fromEntries(VIEWS.map((view, i) => [String(i + 1), () => {
    showPane("analysis");
    showView(view, { focus: true });
    keepAddress({ push: true });
  }]));
  return {
    ...views,
    j: () => stepOracle(1),
    k: () => stepOracle(-1),
    b: holdAsB,
    Escape: clearAll,
    "/": () => {
      showPane("source");
      showTab(byId("source-tabs"), "topics");
      byId("topic-search").focus();
    },
    g: focusDocument,
    o: () => {
      showPane("analysis");
      showView("oracles");
      byId("oracles").focus();
    },
    "[": shiftLimit(-10),
    "]": shiftLimit(10),
    l: copyLink,
    d: startDownload,
    t: toggleTheme,
    "?": () => byId("guide").showModal(),
  };
}

async function start() {
  setUp();
  emit("family");
  emit("busy", true);
  try {
    held.about = await api.about();
    held.about.defaults.language = null; // each record in its own language, unless one is chosen
  } catch (error) {
    emit("busy", false);
    emit("problem", error.message, () => location.reload());
    return;
  }
  readFragment(location.hash);
  await Promise.all([restore(), loadTopics()]);
  document.body.dataset.ready = "true"; // tests wait for it
}

start();
