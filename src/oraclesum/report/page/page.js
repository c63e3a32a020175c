// The switch between the system's colours, light and dark; print is always light.
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
  button.hidden = false;
  apply();
})();
