// The switch between the system's colours, light and dark; print is always light, and unfolded.
(function () {
  var button = document.getElementById("theme");
  var order = ["auto", "light", "dark"];
  var chosen = "auto";
  try { chosen = localStorage.getItem("oraclesum-theme") || "auto"; } catch (e) {}
  function apply() {
    if (order.indexOf(chosen) < 1) {
      chosen = "auto";
      document.documentElement.removeAttribute("data-theme");
    } else {
      document.documentElement.setAttribute("data-theme", chosen);
    }
    button.textContent = "Theme: " + chosen;
  }
  button.addEventListener("click", function () {
    chosen = order[(order.indexOf(chosen) + 1) % order.length];
    try { localStorage.setItem("oraclesum-theme", chosen); } catch (e) {}
    apply();
  });
  // Paper cannot be unfolded: what was opened for it is closed again.
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details.unfold:not([open])").forEach(function (part) {
      part.setAttribute("data-for-print", "");
      part.open = true;
    });
  });
  window.addEventListener("afterprint", function () {
    document.querySelectorAll("details[data-for-print]").forEach(function (part) {
      part.removeAttribute("data-for-print");
      part.open = false;
    });
  });
  button.hidden = false;
  apply();
})();
