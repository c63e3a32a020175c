// The topics of the opened corpus: searched and fetched in pages, one is chosen.

import * as api from "./api.js";
import { announce, byId, debounce, el, hidden } from "./dom.js";
import { elide, plural, whole } from "./numbers.js";
import { chosen, loaded, on } from "./state.js";
import { VirtualList } from "./virtual.js";

const ROW = 46;
let list = null;
let active = 0n;
let search = ""; // what is asked for
let listed = ""; // what the list on display was found by
let openTopic = null;
let total = 0;
let broken = new Set(); // numbers of the topics seen so far that cannot be read

export function setUpTopics(open) {
  openTopic = open;
  const box = byId("topics");
  list = new VirtualList({ box, rowHeight: ROW, fetchPage, rowState, drawRow, onTrouble: (error) => (byId("topics-note").textContent = error.message) });
  box.addEventListener("click", (event) => {
    const row = event.target.closest("[data-position]");
    if (row && row.getAttribute("aria-disabled") !== "true") choose(BigInt(row.dataset.position));
  });
  box.addEventListener("keydown", onKey);
  byId("topic-search").addEventListener("input", debounce(150, (event) => find(event.target.value.trim())));
  on("family", () => list.draw());
  on("document", () => list.draw());
}

export async function loadTopics() {
  if (loaded.about.corpus === null) {
    byId("topic-search").disabled = true;
    byId("topics-note").textContent = "No corpus is open. Paste a document, or open a file.";
    return;
  }
  await find("");
}

async function find(text) {
  search = text;
  try {
    const answer = await api.topics({ offset: 0, limit: 1, search });
    if (search !== text) return;
    active = chosen.topic !== null && search === "" ? BigInt(chosen.topic) : 0n;
    listed = text;
    list.reset(answer.total);
    if (active > 0n && active < list.total) list.show(active);
    broken = new Set();
    total = answer.total;
    drawNote();
  } catch (error) {
    if (search === text) byId("topics-note").textContent = error.message;
  }
}

function drawNote() {
  const found = listed === "" ? plural(total, "topic") : `${whole(total)} found`;
  const unread = broken.size ? `, ${whole(broken.size)} of them cannot be read,` : "";
  byId("topics-note").textContent = `${found}${unread} in ${loaded.about.corpus.name.split(/[\\/]/).at(-1)}`;
  byId("topics-note").title = loaded.about.corpus.name;
}

function fetchPage(offset, limit, signal) {
  return api.topics({ offset: String(offset), limit, search: listed }, signal).then((answer) => {
    for (const topic of answer.topics) if (topic.error) broken.add(topic.number);
    drawNote();
    return answer.topics;
  });
}

// The row says why in few words: the file is named below the list, its line is enough.
const shortReason = (error) => error.replace(/^\S.*?:(\d+): (the record )?/, "line $1: ");

const rowState = (position, topic) => `${position === active} ${topic?.number === chosen.topic}`;

function drawRow(position, topic) {
  const id = `topic-${position}`;
  if (topic === undefined) return el("div", { class: "row waiting", role: "option", id, "aria-selected": "false", "data-position": position }, hidden("loading"));
  const on = topic.number === chosen.topic;
  const told = topic.error ? [hidden("cannot be read: "), shortReason(topic.error)] : `${plural(topic.sentences, "sentence")} · ${plural(topic.references, "reference")}`;
  return el(
    "div",
    { class: `row topic${on ? " chosen" : ""}${position === active ? " active" : ""}${topic.error ? " bad" : ""}`, role: "option", id, "aria-selected": String(on), "aria-disabled": topic.error ? "true" : null, "data-position": position, title: topic.error ? `This record cannot be read: ${topic.error}` : topic.id },
    el("span", { class: "name", "aria-hidden": "true" }, elide(topic.id)),
    hidden(topic.id),
    el("span", { class: "soft" }, told),
  );
}

async function choose(position) {
  active = position;
  list.show(position);
  byId("topics").setAttribute("aria-activedescendant", `topic-${position}`);
  const topic = list.row(position) ?? (await list.load(position))[Number(position % 100n)];
  if (!topic || active !== position) return;
  if (topic.error) announce(`${topic.id} cannot be read: ${topic.error}`);
  else openTopic(topic.number);
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || list.total === 0n) return;
  const moves = { ArrowDown: active + 1n, ArrowUp: active - 1n, Home: 0n, End: list.total - 1n, Enter: active, " ": active };
  if (!(event.key in moves)) return;
  event.preventDefault();
  let next = list.clamp(moves[event.key]);
  if (chosen.topic === null && event.key.startsWith("Arrow") && active === 0n) next = 0n;
  choose(next);
}
