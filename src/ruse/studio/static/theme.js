// Before anything is drawn: the theme that was chosen here before, or else what the system prefers.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('ruse.theme');
  } catch (refused) {
    // Storage may be forbidden; the system's choice will do.
  }
  var dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
