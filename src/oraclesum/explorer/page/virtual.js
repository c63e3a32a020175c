// A list of any length in a small number of rows: pages are fetched when they come into sight.

import { perFrame, whenReleased } from "./dom.js";

const PAGE = 100;
const KEPT_PAGES = 40;
const TALLEST = 4_000_000; // browsers cannot lay out boxes that are much taller
const EXTRA = 4; // rows drawn above and below what can be seen

// Positions are BigInt: a family can have more oracles than a double can count.
export class VirtualList {
  // `rowState(position, data)` names all that a row's look depends on beside its data: a row is
  // drawn again only if that changes.
  constructor({ box, rowHeight, fetchPage, rowState, drawRow, onTrouble }) {
    Object.assign(this, { box, rowHeight, fetchPage, rowState, drawRow, onTrouble });
    this.inner = document.createElement("div");
    this.inner.className = "virtual-inner";
    this.inner.setAttribute("role", "presentation");
    box.replaceChildren(this.inner);
    this.total = 0n;
    this.generation = 0;
    this.pages = new Map();
    this.lastScroll = 0;
    this.drawn = new Map(); // rows on display by position
    this.high = 0; // of the box; asking it each time would cost a layout
    this.base = 0n; // row at which the exact part begins
    const draw = perFrame(() => this.draw());
    box.addEventListener("scroll", () => {
      this.follow();
      draw();
    });
    box.addEventListener("scrollend", () => this.settle());
    new ResizeObserver(() => {
      this.high = box.clientHeight;
      draw();
    }).observe(box);
  }

  reset(total) {
    this.total = BigInt(total);
    this.generation += 1;
    this.pages.clear();
    this.drawn.clear();
    this.inner.replaceChildren();
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

  // The nearest position that exists.
  clamp(position) {
    if (position >= this.total) return this.total - 1n;
    return position < 0n ? 0n : position;
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
        whenReleased(() => this.draw());
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
    if (this.high === 0) this.high = this.box.clientHeight;
    if (this.high === 0) return; // hidden
    const seen = Math.ceil(this.high / this.rowHeight) + 1;
    let from = this.firstRow() - BigInt(EXTRA);
    if (from < 0n) from = 0n;
    let to = this.firstRow() + BigInt(seen + EXTRA);
    if (to > this.total) to = this.total;
    const before = this.drawn;
    this.drawn = new Map();
    for (let position = from; position < to; position++) {
      const data = this.row(position);
      if (data === undefined) this.load(position);
      const state = this.rowState(position, data);
      let row = before.get(position);
      if (row === undefined || row.data !== data || row.state !== state) {
        const node = this.drawRow(position, data);
        node.style.setProperty("height", `${this.rowHeight}px`);
        row = { data, state, node, top: null };
      }
      const top = Number(position - this.base) * this.rowHeight;
      if (row.top !== top) row.node.style.setProperty("top", `${top}px`);
      row.top = top;
      this.drawn.set(position, row);
    }
    this.place(before);
  }

  // Takes rows out and puts new ones in, and leaves alone what stays.
  place(before) {
    const kept = new Set([...this.drawn.values()].map((row) => row.node));
    for (const row of before.values()) if (!kept.has(row.node)) row.node.remove();
    let last = null;
    for (const { node } of this.drawn.values()) {
      if (node.parentNode !== this.inner || node.previousSibling !== last) {
        if (last === null) this.inner.prepend(node);
        else last.after(node);
      }
      last = node;
    }
  }
}
