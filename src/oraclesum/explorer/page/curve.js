// Best score against the limit in words or sentences: the server computes points, which are drawn as they arrive.

import * as api from "./api.js";
import { announce, byId, el, replace, svg, whenReleased } from "./dom.js";
import { count, log10, plural, raised, score, whole } from "./numbers.js";
import { UNITS, chosen, effectiveSettings, emit, hasConditions, loaded, memberOf, on } from "./state.js";

const MOST_SENTENCES = 20; // of the curve over sentences
const kept = new Map(); // one curve per document, unit and settings without that limit
let running = null;
let setLimit = null;

export function setUpCurve(limit) {
  setLimit = limit;
  replace(
    byId("panel-curve"),
    el(
      "div",
      { class: "curve-head" },
      el("div", { class: "segments named", role: "radiogroup", "aria-label": "Limit in" }, UNITS.map((unit) => el("label", {}, el("input", { type: "radio", name: "curve-by", value: unit, onchange: () => chooseUnit(unit) }), unit))),
      el("button", { type: "button", class: "quiet small", id: "curve-stop", onclick: () => stop(true) }, "Stop"),
      el("p", { id: "curve-told", role: "status" }),
    ),
    el("progress", { id: "curve-progress", max: 1, value: 0, "aria-label": "Points of the curve computed" }),
    el("figure", { id: "curve-chart" }),
    el("details", { class: "behind" }, el("summary", {}, "The numbers as a table"), el("div", { id: "curve-table" })),
  );
  on("family", () => {
    if (running && running.name !== curveName()) stop(false);
    update();
  });
  addEventListener("resize", update);
  on("view", () => (chosen.view === "curve" ? update() : stop(false)));
}

function chooseUnit(unit) {
  chosen.by = unit;
  stop(false);
  emit("order"); // the address keeps it
  update();
}

// Everything that moves the curve, hence not the limit it is drawn against. What is chosen may have
// no result yet: the curve is that of the family on display.
function curveName() {
  if (loaded.family === null) return null;
  return JSON.stringify([loaded.source, chosen.by, { ...loaded.family.settings, [`max_${chosen.by}`]: null }]);
}

// The limits that the curve goes through.
function findRange() {
  const { words_from: from, words_to: to } = loaded.about.limits;
  if (chosen.by === "words") return { from, to, step: 10 };
  return { from: 1, to: Math.min(MOST_SENTENCES, loaded.family.sentences.length), step: 1 };
}

// Without conditions a set of no sentence is there at least, with the score 0.
const isImpossible = (point) => point.status === "no_overlap" && hasConditions(loaded.family.settings);
const tellLimit = (limit, unit) => plural(limit, unit.slice(0, -1));

function update() {
  if (chosen.view !== "curve") return;
  if (loaded.family === null) {
    byId("curve-told").textContent = "No document yet.";
    byId("curve-progress").hidden = true;
    replace(byId("curve-chart"));
    replace(byId("curve-table"));
    return;
  }
  for (const radio of byId("panel-curve").querySelectorAll("[name=curve-by]")) radio.checked = radio.value === chosen.by;
  const name = curveName();
  if (!kept.has(name)) kept.set(name, { points: [], done: 0, of: 0, ended: false });
  const curve = kept.get(name);
  if (!curve.ended && !curve.stopped && running === null) run(name, curve);
  draw(curve);
}

async function run(name, curve) {
  const controller = new AbortController();
  running = { name, controller };
  const show = () => whenReleased(() => curveName() === name && draw(curve));
  curve.points = [];
  curve.problem = null;
  try {
    await api.curve(loaded.family.key, { ...findRange(), unit: chosen.by }, controller.signal, (event, data) => {
      if (event === "point") curve.points.push(data);
      if (event === "progress") Object.assign(curve, data);
      if (event === "problem") curve.problem = data.error;
      if (event === "end") curve.ended = true;
      if (event !== "progress") curve.points.sort((x, y) => x.limit - y.limit);
      show();
    });
    if (curve.ended && curveName() === name) announce(`The curve is complete: ${plural(curve.points.length, "limit")}`);
  } catch (error) {
    if (error.status === 410) setTimeout(() => emit("lost"), 0);
    else if (error.name !== "AbortError") curve.problem = error.message;
  }
  if (running?.controller === controller) running = null;
  show();
}

function stop(byHand) {
  if (running !== null) {
    const curve = kept.get(running.name);
    curve.stopped = byHand;
    running.controller.abort();
    running = null;
    draw(curve);
  } else if (byHand && loaded.family !== null) {
    const curve = kept.get(curveName());
    Object.assign(curve, { stopped: false, ended: false });
    run(curveName(), curve);
    draw(curve);
  }
}

function draw(curve) {
  if (chosen.view !== "curve" || loaded.family === null) return;
  const busy = running !== null;
  byId("curve-stop").textContent = busy ? "Stop" : "Compute again";
  byId("curve-progress").hidden = !busy;
  byId("curve-progress").max = curve.of || 1;
  byId("curve-progress").value = curve.done;
  const told = curve.problem ?? (busy ? `Computing: ${whole(curve.done)} of ${whole(curve.of || 40)} limits` : curve.ended ? `Click the chart to set the limit.${tellOther()}` : `Stopped after ${plural(curve.points.length, "limit")}.`);
  byId("curve-told").textContent = told;
  byId("curve-told").className = curve.problem ? "error" : "soft";
  replace(byId("curve-chart"), drawChart(curve.points, { wide: Math.max(300, Math.min(760, byId("curve-chart").clientWidth || 560)), unit: chosen.by, limit: effectiveSettings()[`max_${chosen.by}`], family: loaded.family, range: findRange() }));
  drawTable(curve);
}

// The other limit stays as it is, and bends the curve.
function tellOther() {
  const unit = UNITS.find((one) => one !== chosen.by);
  const limit = loaded.family.settings[`max_${unit}`];
  return limit === null ? "" : ` At most ${tellLimit(limit, unit)} everywhere.`;
}

function drawTable(curve) {
  const unit = chosen.by;
  const member = memberOf(loaded.family);
  replace(
    byId("curve-table"),
    el(
      "table",
      { class: "numbers" },
      el("caption", { class: "visually-hidden" }, `Best score and number of ${member}s at each limit`),
      el("thead", {}, el("tr", {}, ["Limit", "Score", "Hits", member === "set" ? "Sets" : "Oracles", "Status"].map((name) => el("th", { scope: "col", class: name === "Status" ? "" : "right" }, name)))),
      el(
        "tbody",
        {},
        curve.points.map((point) =>
          el(
            "tr",
            {},
            el("th", { scope: "row", class: "right" }, el("button", { type: "button", class: "link", "aria-label": `Set the limit to ${tellLimit(point.limit, unit)}`, onclick: () => setLimit(unit, point.limit) }, point.limit)),
            el("td", { class: "right" }, score(point.score)),
            el("td", { class: "right" }, point.hits === null ? "–" : `${whole(point.hits)} of ${whole(point.total)}`),
            el("td", { class: "right" }, count(point.count)),
            el("td", {}, isImpossible(point) ? "no set" : point.proven ? "proven" : "bound"),
          ),
        ),
      ),
    ),
  );
}

const HIGH = 246;
const LEFT = 46;
const RIGHT = 12;
const LINE = { top: 22, bottom: 146 };
const BARS = { top: 178, bottom: 217 };

// Round steps for an axis from 0 to `largest`.
function steps(largest, about) {
  const raw = largest / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999);
  const list = [];
  for (let at = 0; at <= largest + step * 1e-9; at += step) list.push(at);
  return list;
}

// Drawn in the pixels it gets, so that its text has the size of other text.
function drawChart(all, { wide: WIDE, unit, limit, family, range }) {
  const { measure } = family;
  const points = all.filter((point) => !isImpossible(point));
  const to = range.to * (unit === "words" ? 1 : 1.02); // a bar at the end stays inside
  const x = (at) => LEFT + (at / to) * (WIDE - LEFT - RIGHT);
  const bar = Math.min(16, ((WIDE - LEFT - RIGHT) * range.step) / to - 2);
  const best = Math.max(0.05, ...points.map((point) => point.score)) * 1.06;
  const y = (value) => LINE.bottom - (value / best) * (LINE.bottom - LINE.top);
  const largest = Math.max(Math.log10(2), ...points.map((point) => log10(point.count)));
  const z = (digits) => BARS.bottom - (log10(digits) / largest) * (BARS.bottom - BARS.top);
  const last = points.at(-1);
  const label = points.length ? `Best ${measure} against the limit in ${unit}, ${score(last.score)} at ${tellLimit(last.limit, unit)}; the table below has all numbers` : "The curve is being computed";
  const chart = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label },
    svg("text", { class: "axis-title", x: 0, y: 10 }, `best ${measure}`),
    svg("text", { class: "axis-title", x: 0, y: BARS.top - 10 }, `number of ${memberOf(family)}s (log)`),
    steps(best, 4).map((value) => [svg("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }), svg("text", { class: "tick-label end", x: LEFT - 6, y: y(value) + 3.5 }, value.toFixed(2))]),
    steps(range.to, WIDE < 480 ? 4 : 8).filter(Number.isInteger).map((words) => [svg("line", { class: "grid", x1: x(words), x2: x(words), y1: BARS.bottom, y2: BARS.bottom + 4 }), svg("text", { class: "tick-label middle", x: x(words), y: BARS.bottom + 15 }, words)]),
    svg("text", { class: "tick-label end", x: WIDE - RIGHT, y: HIGH - 2 }, `limit in ${unit}`),
    svg("line", { class: "base", x1: LEFT, x2: WIDE - RIGHT, y1: BARS.bottom, y2: BARS.bottom }),
    svg("text", { class: "tick-label end", x: LEFT - 6, y: BARS.top + 7 }, nameLargest(points)),
    points.map((point) => svg("rect", { class: "bar", x: x(point.limit) - bar / 2, y: Math.min(z(point.count), BARS.bottom - 1), width: bar, height: Math.max(1, BARS.bottom - z(point.count)) })),
    points.length > 1 && svg("path", { class: "area", d: `M${x(points[0].limit)},${y(0)}${points.map((point) => `L${x(point.limit)},${y(point.score)}`).join("")}L${x(last.limit)},${y(0)}Z` }),
    points.length > 1 && svg("path", { class: "line", d: `M${points.map((point) => `${x(point.limit)},${y(point.score)}`).join("L")}` }),
    points.map((point) => svg("circle", { class: point.proven ? "dot" : "dot open", cx: x(point.limit), cy: y(point.score), r: 3 })),
    limit !== null && limit <= to && svg("g", {}, svg("line", { class: "limit", x1: x(limit), x2: x(limit), y1: LINE.top - 4, y2: BARS.bottom }), svg("text", { class: `limit-label ${limit > to * 0.8 ? "end" : ""}`, x: x(limit) + (limit > to * 0.8 ? -5 : 5), y: LINE.top + 4 }, tellLimit(limit, unit))),
  );
  const readout = svg("g", { class: "readout", visibility: "hidden" }, svg("line", { y1: LINE.top, y2: BARS.bottom }), svg("text", { y: LINE.bottom - 18 }), svg("text", { y: LINE.bottom - 5 }));
  chart.append(readout);
  const limitAt = (event) => {
    const place = chart.getBoundingClientRect();
    const inside = ((event.clientX - place.left) / place.width) * WIDE;
    const at = ((inside - LEFT) / (WIDE - LEFT - RIGHT)) * to;
    return Math.max(range.from, Math.min(range.to, Math.round(at)));
  };
  chart.addEventListener("pointermove", (event) => point(readout, points, limitAt(event), { x, unit, to, member: memberOf(family) }));
  chart.addEventListener("pointerleave", () => readout.setAttribute("visibility", "hidden"));
  chart.addEventListener("click", (event) => setLimit(unit, limitAt(event)));
  return chart;
}

// The largest number of sets, short enough for the axis: 1,024 or ≈ 10¹².
function nameLargest(points) {
  const largest = points.reduce((best, one) => (log10(one.count) > log10(best) ? one.count : best), "1");
  if (largest.length < 6) return count(largest);
  return `≈10${raised(Math.round(log10(largest)))}`;
}

// Shows the numbers of the point next to the pointer.
function point(readout, points, limit, { x, unit, to, member }) {
  if (points.length === 0) return;
  const near = points.reduce((best, one) => (Math.abs(one.limit - limit) < Math.abs(best.limit - limit) ? one : best));
  const [rule, first, second] = readout.children;
  const left = near.limit > to * 0.6;
  rule.setAttribute("x1", x(near.limit));
  rule.setAttribute("x2", x(near.limit));
  for (const text of [first, second]) {
    text.setAttribute("x", x(near.limit) + (left ? -6 : 6));
    text.setAttribute("class", left ? "end" : "");
  }
  first.textContent = `${tellLimit(near.limit, unit)}: ${score(near.score)}`;
  second.textContent = `${near.proven ? "" : "≥ "}${count(near.count)} ${member}${near.count === "1" ? "" : "s"}`;
  readout.setAttribute("visibility", "visible");
}
