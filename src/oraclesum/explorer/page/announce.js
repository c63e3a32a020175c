// Tells screen readers what changed, and shows short notices to everybody.

import { byId } from "./dom.js";

let timer = 0;

// Spoken politely; the latest message wins where several come at once.
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
