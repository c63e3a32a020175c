// Opens what a person chose or an address names: a topic, a pasted document, a record of a file.

import { NOT_IN_ADDRESS, keepAddress, readFragment } from "./address.js";
import { notice } from "./announce.js";
import { byId } from "./dom.js";
import { LONGEST_LINK, isDocument, pack, unpack } from "./link.js";
import { forgetOracles, load } from "./loading.js";
import { adaptTo, showSettings } from "./settings.js";
import { chosen, emit, held } from "./state.js";
import { showPane, showTab, showView } from "./tabs.js";

export function openTopic(number) {
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

export async function openDocument(record, language = null) {
  forgetOracles();
  held.document = record;
  const packed = await pack(record);
  held.longLink = packed.length > LONGEST_LINK;
  held.packed = held.longLink ? packed : null;
  Object.assign(chosen, { topic: null, doc: packed, pick: [], system: null, own: null });
  chosen.settings = { ...chosen.settings };
  delete chosen.settings.reference;
  if (language !== null && held.about.languages.some((one) => one.code === language)) chosen.settings = adaptTo(language);
  emit("document");
  try {
    await load({ loud: true });
  } finally {
    keepAddress({ push: true }); // what failed stays the document that settings are tried on
  }
  showPane("document");
  if (held.longLink) notice("This document is too long to travel in a link; download the record instead.");
}

export async function restore() {
  readFragment(location.hash);
  let broken = false;
  if (chosen.doc === NOT_IN_ADDRESS && held.packed !== null) {
    chosen.doc = held.packed;
    held.longLink = true;
    held.document = await unpack(held.packed);
  } else if (chosen.doc !== null) {
    held.longLink = false;
    try {
      const document = await unpack(chosen.doc);
      if (!isDocument(document)) throw new Error("no document");
      held.document = document;
    } catch {
      chosen.doc = null;
      held.document = null;
      broken = true;
    }
  } else {
    held.document = null;
    held.longLink = false;
  }
  if (chosen.topic === null && chosen.doc === null && held.about.corpus && location.hash.length < 2) chosen.topic = 0;
  showTab(byId("source-tabs"), chosen.doc !== null || held.about.corpus === null ? "paste" : "topics");
  showView(chosen.view);
  if (chosen.topic === null && held.document === null) chosen.pane = "source"; // where one begins
  showPane(chosen.pane);
  showSettings();
  emit("document");
  await load();
  if (broken) emit("problem", "The link holds a document that cannot be read: it may have been cut off.", null);
}
