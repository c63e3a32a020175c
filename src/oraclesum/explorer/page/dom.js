// Builds elements and shows notices; what comes from a document only ever becomes a text node.

export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "vars") for (const [key, val] of Object.entries(value)) node.style.setProperty(key, val);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

// Children may be nodes, texts, nested lists, or nothing.
function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

// An icon of the sprite sheet; never the only carrier of a meaning.
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true", focusable: "false" }, svg("use", { href: `/page/icons.svg#${name}` }));
}

export function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

// Text for screen readers only.
export const hidden = (text) => el("span", { class: "visually-hidden" }, text);

// Scrolls a child into its own scrolling box, and nothing outside of it.
export function reveal(box, child, { middle = false } = {}) {
  const outer = box.getBoundingClientRect();
  const inner = child.getBoundingClientRect();
  const margin = 8;
  if (inner.top >= outer.top + margin && inner.bottom <= outer.bottom - margin) return;
  if (middle) box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  else if (inner.top < outer.top + margin) box.scrollTop += inner.top - outer.top - margin;
  else box.scrollTop += inner.bottom - outer.bottom + margin;
}

export function debounce(wait, action) {
  let timer = 0;
  const later = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), wait);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

// Calls an action at most once per frame, with the latest arguments.
export function perFrame(action) {
  let waiting = null;
  return (...args) => {
    const first = waiting === null;
    waiting = args;
    if (!first) return;
    requestAnimationFrame(() => {
      const latest = waiting;
      waiting = null;
      action(...latest);
    });
  };
}

// A click is lost if what was pressed is drawn anew before it is released; so answers that come
// meanwhile are shown after it. Not for sliders, whose results are looked at while they move, nor for
// scroll bars, whose release is not heard of.
const CLICKED = "button, a, label, summary, select, [role=row], [role=option], .chart";
let pressed = false;
let later = [];

function press() {
  pressed = true;
}

function release() {
  pressed = false;
  const due = later;
  later = [];
  for (const action of due) action();
}

const releaseSoon = () => pressed && setTimeout(release, 0); // the click itself comes first

addEventListener("pointerdown", (event) => event.button === 0 && event.target.closest?.(CLICKED) && press(), true);
addEventListener("keydown", (event) => event.key === " " && event.target.closest?.(CLICKED) && press(), true);
for (const end of ["pointerup", "pointercancel", "keyup", "dragend"]) addEventListener(end, releaseSoon, true);
addEventListener("pointermove", (event) => event.buttons === 0 && releaseSoon(), true); // released elsewhere
addEventListener("blur", (event) => event.target === window && releaseSoon());

export function whenReleased(action) {
  if (pressed) later.push(action);
  else action();
}

let timer = 0;

// Spoken politely; the latest message wins if several come at once.
export function announce(message) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    byId("announcer").textContent = message;
  }, 150);
}

let toastTimer = 0;

// A notice that goes away by itself and is spoken as well.
export function notice(message) {
  const toast = byId("toast");
  toast.textContent = message;
  toast.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => toast.classList.remove("shown"), 3000);
  announce(message);
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied.`);
  } catch {
    notice(`The browser does not allow copying here. Select the text and copy it by hand.`);
  }
}
