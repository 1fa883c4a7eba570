/* global document, localStorage */
// Before the first paint, so that a chosen theme does not flash. The same key as src/shell/preferences.ts.
{
  const theme = localStorage.getItem('casefile.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
