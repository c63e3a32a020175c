// Tab lists after the ARIA pattern: one stop for Tab, arrows move, Home and End jump.

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
