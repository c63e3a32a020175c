// The form for a document of one's own: text or sentences, and one or more references.

import { byId, el, hidden, replace } from "./dom.js";
import { loaded, on } from "./state.js";

let openDocument = null;
let references = null;
let given = null; // the document that the form gave; it may have been changed since

const EXAMPLE = {
  id: "example",
  sentences: [
    "The harbour reopened on Tuesday after the storm.",
    "Ships may use a single lane in daylight.",
    "The repair will cost 14 million euros, the port said.",
    "Ferries resume on Thursday.",
    "The storm had closed the harbour for nine days.",
    "Repairs will last until the autumn and cost 14 million euros.",
  ],
  references: [
    "The harbour reopened on Tuesday. Repairs will cost 14 million euros.",
    "The port reopened after the storm. Ferries resume on Thursday.",
  ],
};

// `open(document)` resolves when it was enumerated, or throws with the field that was wrong.
export function setUpPaste(open) {
  openDocument = open;
  references = el("div", { class: "references-in", id: "paste-references" });
  replace(
    byId("paste"),
    el("label", { for: "paste-text" }, "Document"),
    el("textarea", { id: "paste-text", rows: 9, placeholder: "Running text, or one sentence per line", "aria-describedby": "paste-text-error" }),
    el("p", { class: "error", id: "paste-text-error", role: "alert" }),
    el("label", { class: "check" }, el("input", { type: "checkbox", id: "paste-lines" }), el("span", {}, "each line is one sentence")),
    references,
    el("p", { class: "error", id: "paste-references-error", role: "alert" }),
    el("div", { class: "line" }, el("button", { type: "button", class: "quiet small", onclick: () => addReference("").focus() }, "+ Reference"), el("button", { type: "button", class: "quiet small", onclick: () => fillIn(EXAMPLE) }, "Example")),
    el("button", { type: "submit", class: "button", id: "paste-go" }, "Find all oracles"),
    el("p", { class: "error", id: "paste-error", role: "alert" }),
  );
  addReference("");
  byId("paste").addEventListener("submit", submit);
  byId("paste-text").addEventListener("keydown", submitByKey);
  on("document", () => loaded.document && loaded.document !== given && fillIn(loaded.document));
  on("family", clearErrors);
  on("problem", clearErrors); // the newest message stands in the place of the result
}

function submitByKey(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("paste").requestSubmit();
}

function addReference(value) {
  const number = references.children.length;
  const id = `paste-reference-${number}`;
  const area = el("textarea", { id, rows: 4, class: "paste-reference", placeholder: "A reference summary", "aria-describedby": "paste-references-error", onkeydown: submitByKey });
  area.value = value;
  const remove = number > 0 && el("button", { type: "button", class: "quiet small", onclick: () => removeReference(number) }, "Remove", hidden(` reference ${number}`));
  references.append(el("div", {}, el("div", { class: "line between" }, el("label", { for: id }, `Reference ${number}`), remove), area));
  return area;
}

function removeReference(number) {
  const values = readReferences();
  values.splice(number, 1);
  setReferences(values);
}

const readReferences = () => [...references.querySelectorAll("textarea")].map((area) => area.value);

function setReferences(values) {
  references.replaceChildren();
  for (const value of values.length ? values : [""]) addReference(value);
}

// Shows a document in the form, e.g. one that came with the address.
function fillIn(document) {
  const lines = Array.isArray(document.sentences);
  byId("paste-text").value = lines ? document.sentences.map((sentence) => sentence.replaceAll("\n", " ")).join("\n") : document.text;
  byId("paste-lines").checked = lines;
  setReferences(document.references.map((reference) => (Array.isArray(reference) ? reference.join("\n") : String(reference))));
}

function say(id, message) {
  byId(id).textContent = message;
  const input = { "paste-text-error": byId("paste-text"), "paste-references-error": byId("paste-reference-0") }[id];
  input?.setAttribute("aria-invalid", String(message !== ""));
  if (message !== "") input?.focus();
}

function clearErrors() {
  for (const id of ["paste-error", "paste-references-error", "paste-text-error"]) say(id, "");
}

async function submit(event) {
  event.preventDefault();
  clearErrors();
  const text = byId("paste-text").value.trim();
  const texts = readReferences().map((value) => value.trim()).filter((value) => value !== "");
  if (texts.length === 0) say("paste-references-error", "Paste at least one reference summary.");
  if (text === "") say("paste-text-error", "Paste the text of the document.");
  if (text === "" || texts.length === 0) return;
  const byLine = byId("paste-lines").checked;
  const body = byLine ? { sentences: text.split("\n").map((line) => line.trim()).filter((line) => line !== "") } : { text };
  try {
    given = { ...body, references: texts };
    await openDocument(given);
  } catch (error) {
    const field = error.field ?? "";
    if (field.includes("reference")) say("paste-references-error", error.message);
    else if (field.includes("text") || field.includes("sentences")) say("paste-text-error", error.message);
    else say("paste-error", error.message);
  }
}
