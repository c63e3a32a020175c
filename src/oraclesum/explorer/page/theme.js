// Light and dark: follows the system until a person says otherwise.

import { byId } from "./dom.js";

const KEY = "oraclesum-theme";

// Small choices that outlive the page; storage may be forbidden, and then they simply do not.
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // not kept for the next visit, which is no harm
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const current = () => document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");

function show() {
  const other = current() === "dark" ? "light" : "dark";
  byId("theme").setAttribute("aria-label", `Switch to ${other} colours`);
  byId("theme").title = `Switch to ${other} colours (T)`;
}

export function toggleTheme() {
  const next = current() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  remember(KEY, next);
  show();
}

export function setUpTheme() {
  const theme = recall(KEY);
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  byId("theme").addEventListener("click", toggleTheme);
  dark.addEventListener("change", show);
  show();
}
