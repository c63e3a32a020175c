// The list of oracles: any number of them, in any order, one row each; choosing one overlays it.

import * as api from "./api.js";
import { announce, byId, el, hidden, replace, svg } from "./dom.js";
import { asSentence, count, plural, score, whole } from "./numbers.js";
import { chosen, emit, loaded, isNear, memberOf, nameMembers, on, overlaidSystem } from "./state.js";
import { VirtualList } from "./virtual.js";

const ROW = 30;
const HINT = matchMedia("(hover: none)").matches
  ? "Choose one, keep it as B, and choose another to compare."
  : "Arrow keys walk through the list; Shift+click or B compares two.";
let list = null;
let active = 0n; // position in the order on display
let chooseOracle = null;
let drawnFor = null;

const ORDERS = [
  ["text", "document order"],
  ["length", "words"],
  ["sentences", "number of sentences"],
  ["position", "mean position in the document"],
  ["hits", "score, best first"],
  ["distance", "distance to the system"],
];

const setTitle = () => (memberOf(loaded.family) === "set" ? "Set" : "Oracle");

// `choose({a, b, setA, setB})` takes ranks and sets of what was chosen.
export function setUpOracles(choose) {
  chooseOracle = choose;
  const panel = byId("panel-oracles");
  replace(
    panel,
    el(
      "div",
      { class: "toolbar" },
      el("label", { class: "inline" }, "Order", el("select", { id: "sort", onchange: (event) => setOrder(event.target.value, chosen.descending) }, ORDERS.map(([value, label]) => el("option", { value }, label)))),
      el("button", { type: "button", class: "quiet small", id: "descending", "aria-pressed": "false", onclick: () => setOrder(chosen.sort, !chosen.descending) }, "Reverse"),
      el("span", { class: "spring" }),
      el("form", { class: "inline", id: "goto", onsubmit: goTo }, el("label", { for: "goto-number" }, "Go to"), el("input", { type: "text", id: "goto-number", inputmode: "numeric", autocomplete: "off", "aria-describedby": "oracles-note" })),
      el("button", { type: "button", class: "quiet small", id: "keep-b", title: "Keep oracle A as B, then choose another to compare (B)", onclick: keepAsB }, "Keep as B"),
      el("button", { type: "button", class: "quiet small", id: "clear-ab", title: "Take A and B off the document (Escape)", onclick: clearChoice }, "Clear"),
    ),
    el("div", { class: "columns", "aria-hidden": "true" }, el("span", {}, "#"), el("span", {}, ""), el("span", {}, "in the document"), el("span", {}, "sentences"), el("span", { class: "right" }, "words"), el("span", { class: "right hits", id: "column-hits" }, "hits"), el("span", { class: "right", id: "column-distance" }, "dist.")),
    el("div", { class: "rows", id: "oracles", role: "listbox", tabindex: "0", "aria-label": "Oracles; arrow keys choose" }),
    el("p", { class: "foot", id: "oracles-note", role: "status" }),
  );
  const box = byId("oracles");
  list = new VirtualList({ box, rowHeight: ROW, fetchPage, rowState, drawRow, onTrouble: (error) => (error.status === 410 ? emit("lost") : note(asSentence(error.message))) });
  box.addEventListener("keydown", onKey);
  box.addEventListener("click", (event) => {
    const row = event.target.closest("[data-position]");
    if (row) pick(BigInt(row.dataset.position), { asB: event.shiftKey });
  });
  on("family", restart);
  on("overlay", () => {
    const key = orderKey();
    if (key !== drawnFor) restart();
    else refresh();
  });
  on("view", () => list.draw());
}

const orderKey = () => `${loaded.family?.key} ${chosen.sort} ${chosen.descending} ${overlaidSystem()?.sentences.join(",") ?? ""}`;

function fetchPage(offset, limit, signal) {
  const system = overlaidSystem();
  const page = { offset: String(offset), limit, sort: chosen.sort, descending: chosen.descending };
  if (system && system.sentences.length) page.nearest_to = system.sentences.join(",");
  return api.oracles(loaded.family.key, page, signal).then((answer) => {
    if (answer.note) note(asSentence(answer.note));
    return answer.oracles;
  });
}

function note(message) {
  const few = loaded.family && Number(loaded.family.count) <= 1;
  const sets = loaded.family && isNear(loaded.family) ? `${asSentence(nameMembers(loaded.family)).slice(0, -1)}; ★ marks those with the best score. ` : "";
  byId("oracles-note").textContent = sets + (message || (few ? "" : HINT));
}

function restart() {
  const { family } = loaded;
  drawnFor = orderKey();
  active = 0n;
  const nothing = family === null || family.count === "0";
  byId("panel-oracles").classList.toggle("nothing", nothing);
  byId("panel-oracles").classList.toggle("with-hits", family !== null && isNear(family));
  byId("column-hits").textContent = family?.hits === null ? "score" : "hits";
  byId("panel-oracles").style.setProperty("--hits-width", family?.hits === null ? "10.5ch" : "6ch");
  if (nothing) {
    list.reset(0);
    byId("oracles-note").textContent = family === null ? "The oracles of a document are listed here." : "There is no oracle to list.";
    drawStepper();
    return;
  }
  const sortable = BigInt(family.count) <= BigInt(loaded.about.limits.max_sorted);
  const system = overlaidSystem();
  for (const option of byId("sort").options) {
    option.disabled = (option.value !== "text" && !sortable) || (option.value === "distance" && !system) || (option.value === "hits" && !isNear(family));
    option.hidden = option.value === "hits" && option.disabled;
  }
  if (byId("sort").querySelector(`option[value="${chosen.sort}"]`).disabled) {
    chosen.sort = "text";
    chosen.descending = false;
    drawnFor = orderKey();
  }
  byId("panel-oracles").style.setProperty("--rank-width", `${Math.max(4, count(family.count).length)}ch`);
  byId("column-distance").textContent = system ? "dist." : "";
  byId("goto").hidden = BigInt(family.count) < 50n;
  list.reset(family.count);
  note(sortable ? "" : `Other orders are there for up to ${whole(loaded.about.limits.max_sorted)} ${memberOf(family)}s; these stand in document order.`);
  if (chosen.a !== null && chosen.sort === "text") {
    active = BigInt(chosen.a);
    if (active < list.total) list.show(active);
  }
  refresh();
}

// The oracle on display, and the way to its neighbours, below the document.
function drawStepper() {
  const { family } = loaded;
  const none = family === null || family.count === "0";
  const button = (by, sign, label) => el("button", { type: "button", class: "quiet square", "aria-label": label, title: `${label} (${by > 0 ? "J" : "K"})`, onclick: () => stepOracle(by) }, sign);
  const place = byId("stepper");
  const label = none ? "" : chosen.a === null ? `${memberOf(family)}s` : `${count(String(BigInt(chosen.a) + 1n))} of ${count(family.count)}`;
  if (none) replace(place);
  else if (place.children.length === 0) replace(place, button(-1, "‹", "Previous oracle"), el("span", { class: "soft" }, label), button(1, "›", "Next oracle"));
  else place.children[1].textContent = label;
}

function refresh() {
  drawStepper();
  byId("sort").value = chosen.sort;
  byId("descending").setAttribute("aria-pressed", String(chosen.descending));
  byId("descending").disabled = chosen.sort === "text";
  byId("keep-b").disabled = chosen.a === null;
  byId("clear-ab").disabled = chosen.a === null && chosen.b === null;
  list.draw();
  pointAtActive();
}

function setOrder(sort, descending) {
  chosen.sort = sort;
  chosen.descending = sort === "text" ? false : descending;
  emit("order");
  restart();
}

const rowState = (position, oracle) => `${position === active} ${oracle?.rank === chosen.a} ${oracle?.rank === chosen.b}`;

function drawRow(position, oracle) {
  const id = `oracle-${position}`;
  if (oracle === undefined) {
    return el("div", { class: "row waiting", role: "option", id, "data-position": position, "aria-selected": "false" }, hidden("loading"));
  }
  const small = list.total < 1_000_000_000n; // beyond, screen readers lose count
  const isA = oracle.rank === chosen.a;
  const isB = oracle.rank === chosen.b;
  const name = count(String(BigInt(oracle.rank) + 1n));
  const best = oracle.hits === null ? oracle.score === loaded.family.score : oracle.hits === loaded.family.hits;
  const value = oracle.hits === null ? score(oracle.score) : whole(oracle.hits);
  const hits = isNear(loaded.family) ? `; ${oracle.hits === null ? `score ${value}` : plural(oracle.hits, "hit")}${best ? ", the best" : ""}` : "";
  const distance = oracle.distance === null || oracle.distance === undefined ? "" : whole(oracle.distance);
  return el(
    "div",
    {
      class: `row${isA ? " is-a" : ""}${isB ? " is-b" : ""}${position === active ? " active" : ""}`,
      role: "option",
      id,
      "aria-selected": String(isA || isB),
      "aria-label": `${setTitle()} ${name}${isA ? ", A" : ""}${isB ? ", B" : ""}: sentences ${oracle.sentences.join(", ")}; ${plural(oracle.words, "word")}${hits}${distance === "" ? "" : `; distance ${distance}`}`,
      "aria-posinset": small ? position + 1n : null,
      "aria-setsize": small ? list.total : null,
      "data-position": position,
    },
    el("span", { class: "rank", title: name }, name),
    el("span", { class: "marks" }, isA && el("span", { class: "badge badge-A" }, "A"), isB && el("span", { class: "badge badge-B" }, "B")),
    strip(oracle.sentences, loaded.family.sentences.length),
    el("span", { class: "members", title: oracle.sentences.join(" ") }, oracle.sentences.join(" ")),
    el("span", { class: "right" }, whole(oracle.words)),
    el("span", { class: best ? "right hits best" : "right hits" }, best && "★ ", value),
    el("span", { class: "right" }, distance),
  );
}

// The document as a line, the oracle's sentences as ticks on it.
export function strip(sentences, length) {
  const wide = Math.max(length, 1);
  const tick = Math.max(0.72, wide / 90);
  return svg(
    "svg",
    { class: "strip", viewBox: `0 0 ${wide} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "ground", x: 0, y: 4, width: wide, height: 2 }),
    sentences.map((i) => svg("rect", { class: "tick", x: Math.min(i + 0.14, wide - tick), y: 0, width: tick, height: 10 })),
  );
}

function pointAtActive() {
  const box = byId("oracles");
  if (byId(`oracle-${active}`)) box.setAttribute("aria-activedescendant", `oracle-${active}`);
  else box.removeAttribute("aria-activedescendant");
}

async function pick(position, { asB = false } = {}) {
  if (list.total === 0n) return;
  active = position;
  list.show(position);
  const family = loaded.family;
  const row = list.row(position) ?? (await list.load(position))[Number(position % 100n)];
  if (row === undefined || family !== loaded.family || active !== position) return;
  if (asB) chooseOracle({ b: row.rank, setB: row.sentences });
  else chooseOracle({ a: row.rank, setA: row.sentences });
  announce(`${setTitle()} ${asB ? "B" : "A"}: number ${count(String(BigInt(row.rank) + 1n))}, sentences ${row.sentences.join(", ")}, ${plural(row.words, "word")}${row.hits === null ? "" : `, ${plural(row.hits, "hit")}`}`);
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || list.total === 0n) return;
  const page = BigInt(Math.max(1, Math.floor(byId("oracles").clientHeight / ROW) - 1));
  const start = chosen.a === null && chosen.b === null && event.key.startsWith("Arrow");
  const moves = { ArrowDown: start ? active : active + 1n, ArrowUp: active - 1n, PageDown: active + page, PageUp: active - page, Home: 0n, End: list.total - 1n };
  if (event.key in moves) {
    event.preventDefault();
    pick(list.clamp(moves[event.key]));
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    pick(active, { asB: event.shiftKey });
  }
}

export function keepAsB() {
  if (chosen.a === null) return;
  chooseOracle({ b: chosen.a, setB: loaded.setA });
  announce("Kept as B. Choose another to compare with.");
}

export function clearChoice() {
  chooseOracle({ a: null, setA: null, b: null, setB: null });
}

// Chooses the next or the previous oracle from anywhere on the page.
export function stepOracle(by) {
  if (list.total === 0n) return;
  pick(list.clamp(chosen.a === null ? active : active + BigInt(by)));
}

function goTo(event) {
  event.preventDefault();
  const field = byId("goto-number");
  const digits = field.value.replaceAll(/[\s,.']/g, "");
  const right = /^\d{1,400}$/.test(digits) && BigInt(digits) >= 1n && BigInt(digits) <= list.total;
  field.setAttribute("aria-invalid", String(!right));
  if (!right) {
    note(`Give a number from 1 to ${count(String(list.total))}.`);
    return;
  }
  note("");
  pick(BigInt(digits) - 1n);
}
