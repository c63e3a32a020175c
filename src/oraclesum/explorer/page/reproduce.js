// The same result without the page: command line, Python call, and files to download.

import * as api from "./api.js";
import { byId, copy, el, icon, replace } from "./dom.js";
import { chosen, loaded, on } from "./state.js";

const MAX_LISTED = 1000;

export function setUpReproduce() {
  on("family", draw);
  on("view", draw);
}

function draw() {
  if (chosen.view !== "reproduce") return;
  const panel = byId("panel-reproduce");
  const { family } = loaded;
  if (family === null) {
    replace(panel, el("p", { class: "empty" }, "No document yet."));
    return;
  }
  replace(
    panel,
    el("p", { class: "earlier" }, "These commands belong to the earlier settings."),
    block("Command line", family.commands.shell, "Command"),
    block("Python", family.commands.python, "Python call"),
    el(
      "div",
      { class: "downloads" },
      el("a", { class: "button second small", href: api.downloadPath(family.key, MAX_LISTED), download: "" }, icon("download"), "Record with up to 1,000 oracles"),
      el("a", { class: "button second small", href: api.inputPath(family.key), download: "" }, icon("file"), "Input as JSON lines"),
    ),
    el("p", { class: "soft" }, family.commands.needs ? `The commands read ${family.commands.needs}: download “Input as JSON lines” into the folder where you run them.` : "The record is what the command writes, in JSON lines."),
    el("dl", { class: "facts" }, row("Signature", family.signature), row("Objective", family.objective)),
  );
}

function block(title, text, what) {
  return el(
    "section",
    { class: "code" },
    el("header", {}, el("h3", {}, title), el("button", { type: "button", class: "quiet small", onclick: () => copy(text, what) }, icon("copy"), "Copy", el("span", { class: "visually-hidden" }, ` the ${what.toLowerCase()}`))),
    el("pre", { tabindex: "0", role: "region", "aria-label": title }, el("code", {}, breakable(text))),
  );
}

// A line of shell breaks between words, and not after the hyphens of its options.
function breakable(text) {
  if (text.includes("\n")) return text;
  return text.split(/( )/).map((word) => (word === " " ? word : el("span", {}, word)));
}

const row = (name, value) => [el("dt", {}, name), el("dd", {}, value)];

export function startDownload() {
  if (loaded.family === null || loaded.pending) return;
  const link = el("a", { href: api.downloadPath(loaded.family.key, MAX_LISTED), download: "" });
  document.body.append(link);
  link.click();
  link.remove();
}
