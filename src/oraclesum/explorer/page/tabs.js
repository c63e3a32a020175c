// Tabs after the ARIA pattern (one stop for Tab, arrows move), and which part of the page is in front.

import { byId } from "./dom.js";
import { chosen, emit } from "./state.js";

export function setUpTabs(list, choose) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];
  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) choose(tab.dataset.tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    if (at === -1) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    let next = null;
    if (step) next = tabs[(at + step + tabs.length) % tabs.length];
    if (event.key === "Home") next = tabs[0];
    if (event.key === "End") next = tabs.at(-1);
    if (next === null) return;
    event.preventDefault();
    next.focus();
    choose(next.dataset.tab);
  });
}

// Shows which tab is chosen; panels that do not belong to it are hidden.
export function showTab(list, name) {
  for (const tab of list.querySelectorAll('[role="tab"]')) {
    const on = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls"));
    if (panel) panel.hidden = !on;
  }
}

// The tab of the analysis.
export function showView(view, { focus = false } = {}) {
  chosen.view = view;
  showTab(byId("analysis-tabs"), view);
  emit("view");
  if (focus) byId(`tab-${view}`).focus();
}

// The pane that fills a narrow screen; wide ones show all.
export function showPane(pane) {
  chosen.pane = pane;
  document.body.dataset.pane = pane;
  for (const button of byId("pane-nav").children) {
    if (button.dataset.pane === pane) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  emit("view");
}
