// The topics of the opened corpus: searched and fetched in pages, one is chosen.

import * as api from "./api.js";
import { byId, debounce, el, hidden } from "./dom.js";
import { elide, plural, whole } from "./numbers.js";
import { chosen, held, on } from "./state.js";
import { VirtualList } from "./virtual.js";

const ROW = 46;
let list = null;
let active = 0n;
let search = "";
let openTopic = null;

export function setUpTopics(open) {
  openTopic = open;
  const box = byId("topics");
  list = new VirtualList({ box, rowHeight: ROW, fetchPage, rowState, drawRow, onTrouble: (error) => (byId("topics-note").textContent = error.message) });
  box.addEventListener("click", (event) => {
    const row = event.target.closest("[data-position]");
    if (row) choose(BigInt(row.dataset.position));
  });
  box.addEventListener("keydown", onKey);
  byId("topic-search").addEventListener("input", debounce(150, (event) => find(event.target.value.trim())));
  on("family", () => list.draw());
  on("document", () => list.draw());
}

export async function loadTopics() {
  if (held.about.corpus === null) {
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
    list.reset(answer.total);
    if (active > 0n && active < list.total) list.show(active);
    const found = search === "" ? plural(answer.total, "topic") : `${whole(answer.total)} found`;
    byId("topics-note").textContent = `${found} in ${held.about.corpus.name.split(/[\\/]/).at(-1)}`;
    byId("topics-note").title = held.about.corpus.name;
  } catch (error) {
    byId("topics-note").textContent = error.message;
  }
}

function fetchPage(offset, limit, signal) {
  return api.topics({ offset: String(offset), limit, search }, signal).then((answer) => answer.topics);
}

const rowState = (position, topic) => `${position === active} ${topic?.number === chosen.topic}`;

function drawRow(position, topic) {
  const id = `topic-${position}`;
  if (topic === undefined) return el("div", { class: "row waiting", role: "option", id, "aria-selected": "false", "data-position": position }, hidden("loading"));
  const on = topic.number === chosen.topic;
  const told = topic.error ?? `${plural(topic.sentences, "sentence")} · ${plural(topic.references, "reference")}`;
  return el(
    "div",
    { class: `row topic${on ? " chosen" : ""}${position === active ? " active" : ""}${topic.error ? " bad" : ""}`, role: "option", id, "aria-selected": String(on), "data-position": position, title: topic.error ?? topic.id },
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
  if (topic && !topic.error && active === position) openTopic(topic.number);
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || list.total === 0n) return;
  const moves = { ArrowDown: active + 1n, ArrowUp: active - 1n, Home: 0n, End: list.total - 1n, Enter: active, " ": active };
  if (!(event.key in moves)) return;
  event.preventDefault();
  let next = moves[event.key];
  if (next < 0n) next = 0n;
  if (next >= list.total) next = list.total - 1n;
  if (chosen.topic === null && event.key.startsWith("Arrow") && active === 0n) next = 0n;
  choose(next);
}
