// Connects the modules: controls to what they change, keys, and the first view.

import { keepAddress, readFragment, shareableLink } from "./address.js";
import * as api from "./api.js";
import { setUpCompare } from "./compare.js";
import { setUpConditions, toggleCondition } from "./conditions.js";
import { setUpGuide, setUpKeys, setUpTabs, setUpTheme, showPane, showTab, showView, toggleTheme } from "./controls.js";
import { setUpCurve } from "./curve.js";
import { byId, copy, notice } from "./dom.js";
import { setUpFile } from "./file.js";
import { setUpHeadline } from "./headline.js";
import { again, cancel, forgetOracles, load, openDocument, openTopic, restore, takeSummary } from "./loading.js";
import { clearChoice, keepAsB, setUpOracles, stepOracle } from "./oracles.js";
import { setUpPaste } from "./paste.js";
import { setUpReading } from "./reading.js";
import { setUpReferences } from "./references.js";
import { setUpReproduce, startDownload } from "./reproduce.js";
import { setUpSettings, showSettings } from "./settings.js";
import { VIEWS, chosen, effectiveSettings, emit, isOfChosen, loaded, on } from "./state.js";
import { setUpSystems } from "./systems.js";
import { loadTopics, setUpTopics } from "./topics.js";

function changeSettings({ push = false } = {}) {
  forgetOracles();
  keepAddress({ push });
  showSettings();
  load();
}

function setLimit(unit, limit) {
  chosen.settings = { ...chosen.settings, [`max_${unit}`]: limit };
  changeSettings({ push: true });
}

function chooseOracle(change) {
  for (const name of ["a", "b"]) if (name in change) chosen[name] = change[name];
  for (const name of ["setA", "setB"]) if (name in change) loaded[name] = change[name];
  keepAddress();
  emit("overlay");
}

function changePick(pick) {
  if (!isOfChosen()) return; // of the document before
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
  if (byId("copy-link").disabled) return;
  const link = shareableLink();
  if (link === null) notice("This document is too long to travel in a link; download the record instead.");
  else copy(link, "Link");
}

// Of the sentence that is pointed at or has the focus.
const condition = (kind) => () => loaded.hover !== null && toggleCondition(loaded.hover, kind);
const shiftLimit = (by) => () => setLimit("words", Math.max(10, Math.min(400, (effectiveSettings().max_words ?? 400) + by)));

function setUp() {
  setUpTheme();
  setUpGuide();
  setUpHeadline();
  setUpSettings(changeSettings);
  setUpTopics(openTopic);
  setUpPaste(openDocument);
  setUpFile(openDocument);
  setUpReading(changePick);
  setUpConditions(changeSettings);
  setUpReferences();
  setUpOracles(chooseOracle);
  setUpCompare();
  setUpSystems({
    overlay: (key) => {
      chosen.system = key;
      keepAddress();
      emit("overlay");
    },
    paste: takeSummary,
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
    event.preventDefault(); // the fragment contains the state
    focusDocument();
  });
  on("order", () => keepAddress());
  on("lost", again);
  byId("cancel").addEventListener("click", cancel);
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
    b: keepAsB,
    i: condition("required"),
    x: condition("forbidden"),
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
    loaded.about = await api.about();
    loaded.about.defaults.language = null; // each record in its own language, unless one is chosen
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
