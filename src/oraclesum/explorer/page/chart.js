// Draws the curve as SVG: score as a line, number of oracles as bars below, the limit as a rule.

import { svg } from "./dom.js";
import { count, log10, score } from "./numbers.js";

const HIGH = 246;
const LEFT = 46;
const RIGHT = 12;
const LINE = { top: 22, bottom: 146 };
const BARS = { top: 178, bottom: 217 };

// Round steps for an axis from 0 to `most`.
function steps(most, about) {
  const raw = most / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999);
  const list = [];
  for (let at = 0; at <= most + step * 1e-9; at += step) list.push(at);
  return list;
}

// Drawn in the pixels it gets, so that its text has the size of other text.
export function drawChart(points, { wide: WIDE, limit, rouge, range, choose }) {
  const from = 0;
  const to = range.words_to;
  const x = (words) => LEFT + ((words - from) / (to - from)) * (WIDE - LEFT - RIGHT);
  const best = Math.max(0.05, ...points.map((point) => point.score)) * 1.06;
  const y = (value) => LINE.bottom - (value / best) * (LINE.bottom - LINE.top);
  const most = Math.max(1, ...points.map((point) => log10(point.count)));
  const z = (digits) => BARS.bottom - (log10(digits) / most) * (BARS.bottom - BARS.top);
  const last = points.at(-1);
  const label = points.length ? `Best ROUGE-${rouge} recall against the limit in words, rising to ${score(last.score)} at ${last.limit} words; the table below has all numbers` : "The curve is being computed";
  const chart = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label },
    svg("text", { class: "axis-title", x: 0, y: 10 }, `best ROUGE-${rouge} recall`),
    svg("text", { class: "axis-title", x: 0, y: BARS.top - 10 }, "number of oracles (log)"),
    steps(best, 4).map((value) => [svg("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }), svg("text", { class: "tick-label end", x: LEFT - 6, y: y(value) + 3.5 }, value.toFixed(2))]),
    steps(to, WIDE < 480 ? 4 : 8).map((words) => [svg("line", { class: "grid", x1: x(words), x2: x(words), y1: BARS.bottom, y2: BARS.bottom + 4 }), svg("text", { class: "tick-label middle", x: x(words), y: BARS.bottom + 15 }, words)]),
    svg("text", { class: "tick-label end", x: WIDE - RIGHT, y: HIGH - 2 }, "limit in words"),
    svg("line", { class: "base", x1: LEFT, x2: WIDE - RIGHT, y1: BARS.bottom, y2: BARS.bottom }),
    svg("text", { class: "tick-label end", x: LEFT - 6, y: BARS.top + 7 }, nameMost(points)),
    points.map((point) => svg("rect", { class: "bar", x: x(point.limit) - WIDE / 140, y: Math.min(z(point.count), BARS.bottom - 1), width: WIDE / 70, height: Math.max(1, BARS.bottom - z(point.count)) })),
    points.length > 1 && svg("path", { class: "area", d: `M${x(points[0].limit)},${y(0)}${points.map((point) => `L${x(point.limit)},${y(point.score)}`).join("")}L${x(last.limit)},${y(0)}Z` }),
    points.length > 1 && svg("path", { class: "line", d: `M${points.map((point) => `${x(point.limit)},${y(point.score)}`).join("L")}` }),
    points.map((point) => svg("circle", { class: point.proven ? "dot" : "dot open", cx: x(point.limit), cy: y(point.score), r: 3 })),
    limit !== null && limit <= to && svg("g", {}, svg("line", { class: "limit", x1: x(limit), x2: x(limit), y1: LINE.top - 4, y2: BARS.bottom }), svg("text", { class: `limit-label ${limit > to * 0.8 ? "end" : ""}`, x: x(limit) + (limit > to * 0.8 ? -5 : 5), y: LINE.top + 4 }, `${limit} words`)),
  );
  const readout = svg("g", { class: "readout", visibility: "hidden" }, svg("line", { y1: LINE.top, y2: BARS.bottom }), svg("text", { y: LINE.bottom - 18 }), svg("text", { y: LINE.bottom - 5 }));
  chart.append(readout);
  const wordsAt = (event) => {
    const place = chart.getBoundingClientRect();
    const inside = ((event.clientX - place.left) / place.width) * WIDE;
    const words = from + ((inside - LEFT) / (WIDE - LEFT - RIGHT)) * (to - from);
    return Math.max(range.words_from, Math.min(to, Math.round(words)));
  };
  chart.addEventListener("pointermove", (event) => point(readout, points, wordsAt(event), x));
  chart.addEventListener("pointerleave", () => readout.setAttribute("visibility", "hidden"));
  chart.addEventListener("click", (event) => choose(wordsAt(event)));
  return chart;
}

// The largest number of oracles, short enough for the axis: 1,024 or ≈ 10¹².
function nameMost(points) {
  const most = points.reduce((best, one) => (log10(one.count) > log10(best) ? one.count : best), "1");
  if (most.length < 6) return count(most);
  const power = String(Math.round(log10(most)));
  return `≈10${power.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])}`;
}

// Shows the numbers of the point next to the pointer.
function point(readout, points, words, x) {
  if (points.length === 0) return;
  const near = points.reduce((best, one) => (Math.abs(one.limit - words) < Math.abs(best.limit - words) ? one : best));
  const [rule, first, second] = readout.children;
  const left = near.limit > 250;
  rule.setAttribute("x1", x(near.limit));
  rule.setAttribute("x2", x(near.limit));
  for (const text of [first, second]) {
    text.setAttribute("x", x(near.limit) + (left ? -6 : 6));
    text.setAttribute("class", left ? "end" : "");
  }
  first.textContent = `${near.limit} words: ${score(near.score)}`;
  second.textContent = `${near.proven ? "" : "≥ "}${count(near.count)} ${near.count === "1" ? "oracle" : "oracles"}`;
  readout.setAttribute("visibility", "visible");
}
