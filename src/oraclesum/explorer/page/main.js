// Wires the parts together: controls to what they change, keys, and the first view.

import * as api from "./api.js";
import { keepAddress, readFragment, shareableLink } from "./address.js";
import { copy, notice } from "./announce.js";
import { setUpCompare } from "./compare.js";
import { setUpCurve } from "./curve.js";
import { byId } from "./dom.js";
import { setUpFile } from "./file.js";
import { setUpGuide, setUpKeys } from "./guide.js";
import { setUpHeadline } from "./headline.js";
import { again, cancel, forgetOracles, load, takeSummary } from "./loading.js";
import { openDocument, openTopic, restore } from "./opening.js";
import { clearChoice, holdAsB, setUpOracles, stepOracle } from "./oracles.js";
import { setUpPaste } from "./paste.js";
import { setUpReading } from "./reading.js";
import { setUpReferences } from "./references.js";
import { setUpReproduce, startDownload } from "./reproduce.js";
import { setUpSettings, showSettings } from "./settings.js";
import { VIEWS, chosen, effectiveSettings, emit, held, on } from "./state.js";
import { setUpSystems } from "./systems.js";
import { setUpTabs, showPane, showTab, showView } from "./tabs.js";
import { setUpTheme, toggleTheme } from "./theme.js";
import { loadTopics, setUpTopics } from "./topics.js";

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
  if (byId("copy-link").disabled) return;
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
    event.preventDefault(); // the fragment holds the state
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
