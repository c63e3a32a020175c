// The address of the page: everything chosen, and a pasted document, so that a link gives the same view.

import { PANES, SORTS, UNITS, VIEWS, chosen, loaded } from "./state.js";

// Stands for a document that is too long for the address; it lives as long as the page does.
export const NOT_IN_ADDRESS = "-";

const DIGITS = /^\d{1,400}$/;
let timer = 0; // until the address is written

// How each setting is written; anything that is not valid is left out and the default is used.
const wholeBetween = (smallest, largest) => (text) => {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= smallest && value <= largest ? value : undefined;
};
const indices = (text) => {
  const given = text.split(".").filter((one) => /^\d{1,7}$/.test(one));
  return [...new Set(given.map(Number))].sort((x, y) => x - y);
};
const flag = (text) => ({ 1: true, 0: false })[text];
const SETTINGS = {
  rouge: ["rouge", wholeBetween(1, 9)],
  objective: ["objective", (text) => (/^[\w.*+/ -]{2,200}$/.test(text) ? text : undefined)],
  words: ["max_words", (text) => (text === "any" ? null : wholeBetween(1, 1_000_000)(text))],
  sentences: ["max_sentences", wholeBetween(1, 100_000)],
  stem: ["stem", flag],
  stop: ["remove_stopwords", flag],
  lang: ["language", (text) => (/^[a-zA-Z-]{2,20}$/.test(text) ? text : undefined)],
  ref: ["reference", wholeBetween(0, 10_000)],
  family: ["family", (text) => (text === "all" || text === "minimal" ? text : undefined)],
  within: ["within_hits", wholeBetween(0, 1000)],
  below: ["within", (text) => (/^\d{1,9}(\.\d{1,9}|\/\d{0,9}[1-9]\d{0,9})?$/.test(text) ? text : undefined)],
  top: ["top", wholeBetween(0, 10_000)],
  boundaries: ["boundaries", (text) => (text === "within" || text === "across" ? text : undefined)],
  in: ["required", indices],
  out: ["forbidden", indices],
};

function write(value) {
  if (value === null) return "any";
  if (Array.isArray(value)) return value.join(".");
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}

export function toFragment() {
  const parts = new URLSearchParams();
  const put = (name, value, usual) => {
    if (value !== null && value !== undefined && value !== usual && value !== "") parts.set(name, value);
  };
  put("topic", chosen.topic);
  const defaults = loaded.about?.defaults ?? {};
  for (const [name, [field]] of Object.entries(SETTINGS)) {
    const value = chosen.settings[field];
    if (value !== undefined && write(value) !== write(defaults[field])) parts.set(name, write(value));
  }
  put("view", chosen.view, "oracles");
  put("pane", chosen.pane, "document");
  if (!loaded.pending || loaded.family === null) {
    put("a", chosen.a); // else they are oracles of the family before
    put("b", chosen.b);
  }
  put("system", chosen.system);
  put("pick", chosen.pick.join("."));
  put("by", chosen.by, "words");
  put("sort", chosen.sort, "text");
  put("desc", chosen.descending ? "1" : null);
  put("own", chosen.own);
  put("doc", loaded.longLink ? NOT_IN_ADDRESS : chosen.doc);
  return `#${parts}`;
}

export function readFragment(fragment) {
  clearTimeout(timer); // what was to be kept was of the place before
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const given = (name, valid) => {
    const text = parts.get(name);
    return text !== null && valid(text) ? text : null;
  };
  chosen.doc = given("doc", (text) => /^[\w-]+$/.test(text));
  chosen.topic = chosen.doc === null && given("topic", (text) => /^\d{1,9}$/.test(text)) ? Number(parts.get("topic")) : null;
  chosen.settings = {};
  for (const [name, [field, read]] of Object.entries(SETTINGS)) {
    const value = parts.has(name) ? read(parts.get(name)) : undefined;
    if (value !== undefined) chosen.settings[field] = value;
  }
  chosen.view = given("view", (text) => VIEWS.includes(text)) ?? "oracles";
  chosen.pane = given("pane", (text) => PANES.includes(text)) ?? "document";
  chosen.a = given("a", (text) => DIGITS.test(text));
  chosen.b = given("b", (text) => DIGITS.test(text));
  chosen.system = parts.get("system");
  chosen.own = parts.get("own");
  chosen.pick = indices(parts.get("pick") ?? "");
  chosen.by = given("by", (text) => UNITS.includes(text)) ?? "words";
  chosen.sort = given("sort", (text) => SORTS.includes(text)) ?? "text";
  chosen.descending = parts.get("desc") === "1";
}

// A new place in the history for what a person would want to come back to, else the same place.
// Chromium allows some 200 changes in half a minute; arrow keys that stay pressed must not use them up.
export function keepAddress({ push = false } = {}) {
  clearTimeout(timer);
  const go = () => {
    const fragment = toFragment();
    if (fragment === location.hash) return;
    if (push) history.pushState(null, "", fragment);
    else history.replaceState(null, "", fragment);
  };
  if (push) go();
  else timer = setTimeout(go, 120);
}

export function shareableLink() {
  return loaded.longLink ? null : `${location.origin}${location.pathname}${toFragment()}`;
}

// Beyond this, mail programs, chats and some browsers cut links off.
export const LONGEST_LINK = 1_500_000;

async function pump(bytes, transform) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function pack(value) {
  const bytes = await pump(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  let text = "";
  const piece = 0x8000; // String.fromCharCode takes its letters as arguments, which are limited
  for (let at = 0; at < bytes.length; at += piece) text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(packed) {
  const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await pump(bytes, new DecompressionStream("deflate-raw"))));
}
