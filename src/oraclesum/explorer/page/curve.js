// Best score against the limit: computed live by the server, drawn while the points arrive.

import * as api from "./api.js";
import { announce } from "./announce.js";
import { byId, el, replace } from "./dom.js";
import { drawChart } from "./chart.js";
import { count, plural, score, whole } from "./numbers.js";
import { chosen, effectiveSettings, emit, held, on } from "./state.js";

const kept = new Map(); // one curve per document and settings without the limit
let running = null;
let setLimit = null;

export function setUpCurve(limit) {
  setLimit = limit;
  replace(
    byId("panel-curve"),
    el("div", { class: "curve-head" }, el("p", { id: "curve-told", role: "status" }), el("button", { type: "button", class: "quiet small", id: "curve-stop", onclick: () => stop(true) }, "Stop")),
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

// Everything that moves the curve, hence not the limit it is drawn against.
function curveName() {
  if (held.family === null) return null;
  const { max_words: _, ...rest } = effectiveSettings();
  return JSON.stringify([chosen.topic, chosen.doc, rest]);
}

function update() {
  if (chosen.view !== "curve" || held.family === null) return;
  const name = curveName();
  if (!kept.has(name)) kept.set(name, { points: [], done: 0, of: 0, ended: false });
  const curve = kept.get(name);
  if (!curve.ended && !curve.stopped && running === null) run(name, curve);
  draw(curve);
}

async function run(name, curve) {
  const controller = new AbortController();
  running = { name, controller };
  curve.points = [];
  curve.problem = null;
  const { words_from: from, words_to: to } = held.about.limits;
  try {
    await api.curve(held.family.key, { from, to, step: 10 }, controller.signal, (event, data) => {
      if (event === "point") curve.points.push(data);
      if (event === "progress") Object.assign(curve, data);
      if (event === "problem") curve.problem = data.error;
      if (event === "end") curve.ended = true;
      if (event !== "progress") curve.points.sort((x, y) => x.limit - y.limit);
      if (curveName() === name) draw(curve);
    });
    if (curve.ended && curveName() === name) announce(`The curve is complete: ${plural(curve.points.length, "limit")}`);
  } catch (error) {
    if (error.status === 410) setTimeout(() => emit("lost"), 0);
    else if (error.name !== "AbortError") curve.problem = error.message;
  }
  if (running?.controller === controller) running = null;
  if (curveName() === name) draw(curve);
}

function stop(byHand) {
  if (running !== null) {
    const curve = kept.get(running.name);
    curve.stopped = byHand;
    running.controller.abort();
    running = null;
    draw(curve);
  } else if (byHand) {
    const curve = kept.get(curveName());
    Object.assign(curve, { stopped: false, ended: false });
    run(curveName(), curve);
    draw(curve);
  }
}

function draw(curve) {
  if (chosen.view !== "curve") return;
  const busy = running !== null;
  byId("curve-stop").textContent = busy ? "Stop" : "Compute again";
  byId("curve-progress").hidden = !busy;
  byId("curve-progress").max = curve.of || 1;
  byId("curve-progress").value = curve.done;
  const told = curve.problem ?? (busy ? `Computing: ${whole(curve.done)} of ${whole(curve.of || 40)} limits` : curve.ended ? "Click the chart to set the limit." : `Stopped after ${plural(curve.points.length, "limit")}.`);
  byId("curve-told").textContent = told;
  byId("curve-told").className = curve.problem ? "error" : "soft";
  replace(byId("curve-chart"), drawChart(curve.points, { wide: Math.max(300, Math.min(760, byId("curve-chart").clientWidth || 560)), limit: effectiveSettings().max_words, rouge: effectiveSettings().rouge, range: held.about.limits, choose: setLimit }));
  drawTable(curve);
}

function drawTable(curve) {
  replace(
    byId("curve-table"),
    el(
      "table",
      { class: "numbers" },
      el("caption", { class: "visually-hidden" }, "Best score and number of oracles at each limit"),
      el("thead", {}, el("tr", {}, ["Limit", "Score", "Hits", "Oracles", "Status"].map((name) => el("th", { scope: "col", class: name === "Status" ? "" : "right" }, name)))),
      el(
        "tbody",
        {},
        curve.points.map((point) =>
          el(
            "tr",
            {},
            el("th", { scope: "row", class: "right" }, el("button", { type: "button", class: "link", "aria-label": `Set the limit to ${point.limit} words`, onclick: () => setLimit(point.limit) }, point.limit)),
            el("td", { class: "right" }, score(point.score)),
            el("td", { class: "right" }, `${whole(point.hits)} of ${whole(point.total)}`),
            el("td", { class: "right" }, count(point.count)),
            el("td", {}, point.proven ? "proven" : "bound"),
          ),
        ),
      ),
    ),
  );
}
