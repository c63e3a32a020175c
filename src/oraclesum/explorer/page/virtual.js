// A list of any length in a small number of rows: pages are fetched when they come into sight.

import { perFrame } from "./dom.js";

const PAGE = 100;
const KEPT_PAGES = 40;
const TALLEST = 4_000_000; // browsers cannot lay out boxes that are much taller
const EXTRA = 4; // rows drawn above and below what can be seen

// Positions are BigInt: a family can hold more oracles than a double can count.
export class VirtualList {
  constructor({ box, rowHeight, fetchPage, drawRow, onTrouble }) {
    Object.assign(this, { box, rowHeight, fetchPage, drawRow, onTrouble });
    this.inner = document.createElement("div");
    this.inner.className = "virtual-inner";
    this.inner.setAttribute("role", "presentation");
    box.replaceChildren(this.inner);
    this.total = 0n;
    this.generation = 0;
    this.pages = new Map();
    this.lastScroll = 0;
    this.top = 0; // pixels within the exact part
    this.base = 0n; // row at which the exact part begins
    const draw = perFrame(() => this.draw());
    box.addEventListener("scroll", () => {
      this.follow();
      draw();
    });
    box.addEventListener("scrollend", () => this.settle());
    new ResizeObserver(draw).observe(box);
  }

  reset(total) {
    this.total = BigInt(total);
    this.generation += 1;
    this.pages.clear();
    for (const page of this.waiting ?? []) page.abort();
    this.waiting = new Set();
    this.base = 0n;
    this.inner.style.setProperty("height", `${this.height}px`);
    this.box.scrollTop = 0;
    this.lastScroll = 0;
    this.draw();
  }

  // Whether all rows fit into one box; otherwise the scroll bar is only a map of the list.
  get exact() {
    return this.total * BigInt(this.rowHeight) <= BigInt(TALLEST);
  }

  get height() {
    return this.exact ? Number(this.total) * this.rowHeight : TALLEST;
  }

  // The row at the top of the box. In a mapped list, small moves are moves by rows, while long ones
  // (dragging the bar) jump to the part of the list that the bar points at.
  follow() {
    const now = this.box.scrollTop;
    const moved = now - this.lastScroll;
    this.lastScroll = now;
    if (this.exact) return;
    if (Math.abs(moved) > this.box.clientHeight * 4) {
      const span = Math.max(1, this.height - this.box.clientHeight);
      const parts = 1_000_000;
      const last = this.total - BigInt(Math.floor(this.box.clientHeight / this.rowHeight));
      const target = (last * BigInt(Math.round((now / span) * parts))) / BigInt(parts);
      this.base = target - BigInt(Math.floor(now / this.rowHeight));
    }
    const first = this.firstRow();
    if (first < 0n) this.base -= first;
    const lastFirst = this.total - BigInt(Math.floor(this.box.clientHeight / this.rowHeight));
    if (first > lastFirst) this.base -= first - lastFirst;
  }

  firstRow() {
    return this.base + BigInt(Math.floor(this.box.scrollTop / this.rowHeight));
  }

  // Brings the bar of a mapped list to where it belongs after moves by rows.
  settle() {
    if (this.exact || this.total === 0n) return;
    const first = this.firstRow();
    const parts = 1_000_000n;
    const share = Number((first * parts) / this.total) / Number(parts);
    const offset = this.box.scrollTop % this.rowHeight;
    const wanted = Math.round((share * (this.height - this.box.clientHeight)) / this.rowHeight) * this.rowHeight;
    if (Math.abs(wanted - this.box.scrollTop) < this.box.clientHeight) return;
    this.base = first - BigInt(wanted / this.rowHeight);
    this.box.scrollTop = wanted + offset;
    this.lastScroll = this.box.scrollTop;
    this.draw();
  }

  // Scrolls so that a row can be seen; far away rows come to the middle.
  show(row) {
    const first = this.firstRow();
    const seen = BigInt(Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight)));
    if (row > first && row < first + seen - 1n) return;
    let wanted = row - seen / 2n;
    if (row === first || row === first - 1n) wanted = row;
    if (row === first + seen || row === first + seen - 1n) wanted = row - seen + 1n;
    if (wanted < 0n) wanted = 0n;
    if (this.exact) {
      this.box.scrollTop = Number(wanted) * this.rowHeight;
    } else {
      const pixel = Math.floor(this.box.scrollTop / this.rowHeight) * this.rowHeight;
      this.base = wanted - BigInt(pixel / this.rowHeight);
      this.box.scrollTop = pixel;
      this.settle();
    }
    this.lastScroll = this.box.scrollTop;
    this.draw();
  }

  // The data of a row, if its page is there.
  row(position) {
    const page = this.pages.get(String(position / BigInt(PAGE)));
    return Array.isArray(page) ? page[Number(position % BigInt(PAGE))] : undefined;
  }

  async load(position) {
    const number = String(position / BigInt(PAGE));
    const known = this.pages.get(number);
    if (known !== undefined) return known;
    const generation = this.generation;
    const controller = new AbortController();
    this.waiting?.add(controller);
    const coming = this.fetchPage(BigInt(number) * BigInt(PAGE), PAGE, controller.signal)
      .then((rows) => {
        if (generation !== this.generation) return [];
        this.pages.set(number, rows);
        if (this.pages.size > KEPT_PAGES) this.pages.delete(this.pages.keys().next().value);
        this.draw();
        return rows;
      })
      .catch((error) => {
        if (generation === this.generation) {
          this.pages.delete(number);
          if (error.name !== "AbortError") this.onTrouble(error);
        }
        return [];
      })
      .finally(() => this.waiting?.delete(controller));
    this.pages.set(number, coming);
    return coming;
  }

  draw() {
    if (this.box.clientHeight === 0) return;
    const seen = Math.ceil(this.box.clientHeight / this.rowHeight) + 1;
    let from = this.firstRow() - BigInt(EXTRA);
    if (from < 0n) from = 0n;
    let to = this.firstRow() + BigInt(seen + EXTRA);
    if (to > this.total) to = this.total;
    const rows = [];
    for (let position = from; position < to; position++) {
      const data = this.row(position);
      if (data === undefined) this.load(position);
      const node = this.drawRow(position, data);
      node.style.setProperty("top", `${Number(position - this.base) * this.rowHeight}px`);
      node.style.setProperty("height", `${this.rowHeight}px`);
      rows.push(node);
    }
    this.inner.replaceChildren(...rows);
  }
}
