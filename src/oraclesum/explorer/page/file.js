// Opens a file of JSON lines in the browser; of several records, one is chosen.

import { announce, byId, el, icon, replace } from "./dom.js";
import { plural } from "./numbers.js";
import { on } from "./state.js";

const MAX_SHOWN = 500;
let openRecord = null;
let records = [];
let current = null;
let reading = null; // the latest file: of two, the longer one may be read later
let unread = ""; // what was wrong with records of the file

export function setUpFile(open) {
  openRecord = open;
  const input = el("input", { type: "file", id: "file-input", accept: ".jsonl,.json,.ndjson,application/x-ndjson,application/json", class: "visually-hidden", onchange: (event) => read(event.target.files[0]) });
  const zone = el("label", { class: "drop", for: "file-input", id: "drop" }, icon("file"), el("strong", {}, "Open a .jsonl file"), el("span", { class: "soft" }, "or drop it here. It is read in the browser; only the record you choose is sent to the local server."));
  replace(
    byId("file"),
    input,
    zone,
    el("p", { class: "error", id: "file-error", role: "alert" }),
    el("label", { class: "search", id: "file-search-label", hidden: true }, el("span", { class: "visually-hidden" }, "Search records"), icon("search"), el("input", { type: "search", id: "file-search", placeholder: "Search records", oninput: drawRecords })),
    el("ul", { class: "records", id: "records", "aria-label": "Records of the file" }),
    el("p", { class: "foot", id: "file-note" }),
  );
  on("family", () => (byId("file-error").textContent = unread)); // a record that failed is past
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
  });
}

async function read(file) {
  if (!file) return;
  reading = file;
  const text = await file.text();
  if (reading !== file) return;
  const found = readRecords(text);
  records = found.records;
  current = null;
  const bad = found.problems.length;
  unread = records.length === 0 ? `${file.name} is empty.` : "";
  if (bad) unread = `${plural(bad, "record")} cannot be used: ${found.problems.slice(0, 3).join("; ")}${bad > 3 ? " …" : ""}`;
  byId("file-error").textContent = unread;
  byId("file-note").textContent = records.length ? `${plural(records.length, "record")} in ${file.name}` : "";
  byId("file-search-label").hidden = records.length < 10;
  drawRecords();
  announce(`${plural(records.length, "record")} read from ${file.name}`);
  if (records.length === 1) choose(records[0]);
}

function drawRecords() {
  const wanted = byId("file-search").value.trim().toLowerCase();
  const matching = records.filter((entry) => entry.record.id.toLowerCase().includes(wanted));
  replace(
    byId("records"),
    matching.slice(0, MAX_SHOWN).map((entry) =>
      el("li", {}, el("button", { type: "button", class: "record", "aria-current": entry === current ? "true" : null, onclick: () => choose(entry) }, el("span", { class: "name" }, entry.record.id), el("span", { class: "soft" }, `${entry.record.sentences ? plural(entry.record.sentences.length, "sentence") : "running text"} · ${plural(entry.record.references.length, "reference")}`))),
    ),
    matching.length > MAX_SHOWN && el("li", { class: "hint" }, `${plural(matching.length - MAX_SHOWN, "more", "more")}: search for them`),
  );
}

async function choose(entry) {
  current = entry;
  drawRecords();
  byId("records").querySelector("[aria-current]")?.focus();
  try {
    await openRecord(entry.record, entry.language);
  } catch (error) {
    if (current === entry) byId("file-error").textContent = error.message;
  }
}

const BLANK = /^\s*$/;

// {records, problems}: what can be opened, and what was wrong with which line.
export function readRecords(text) {
  const records = [];
  const problems = [];
  const whole = asArray(text);
  if (whole !== null) {
    whole.forEach((value, i) => take(value, `record ${i + 1}`));
    return { records, problems };
  }
  text.split(/\r?\n/).forEach((line, i) => {
    if (BLANK.test(line)) return;
    try {
      take(JSON.parse(line), `line ${i + 1}`);
    } catch {
      problems.push(`line ${i + 1}: not JSON`);
    }
  });
  return { records, problems };

  function take(value, place) {
    const wrong = findProblem(value);
    if (wrong === null) records.push(pickFields(value, place));
    else problems.push(`${place}: ${wrong}`);
  }
}

// A JSON array or a single object over several lines is taken as well.
function asArray(text) {
  const first = text.trimStart()[0];
  if (first !== "[" && first !== "{") return null;
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return null;
  }
}

const isTexts = (value) => Array.isArray(value) && value.every((item) => typeof item === "string");

// What keeps a value from being a document; null if nothing does. The server checks the rest.
export function findProblem(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return "not an object";
  if (!isTexts(value.sentences) && typeof value.text !== "string") return "neither “sentences” (a list of text) nor “text”";
  if (!Array.isArray(value.references) || value.references.length === 0) return "no “references”";
  if (!value.references.every((one) => typeof one === "string" || isTexts(one))) return "“references” must be texts or lists of text";
  return null;
}

// Only the fields the server knows.
function pickFields(value, place) {
  const record = isTexts(value.sentences) ? { sentences: value.sentences } : { text: value.text };
  record.references = value.references;
  record.id = ["string", "number"].includes(typeof value.id) ? String(value.id) : place;
  if (value.systems && typeof value.systems === "object" && !Array.isArray(value.systems)) record.systems = value.systems;
  return { record, language: typeof value.language === "string" ? value.language : null };
}
