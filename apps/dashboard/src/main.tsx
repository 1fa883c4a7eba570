import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LANGUAGE_KEY, shownLanguage, stringsOf } from './strings/language.js';
import { speak } from './strings/text.js';

// After an update of the server, the chunks of an open page have other names, so the page is reloaded.
window.addEventListener('vite:preloadError', (event) => {
  event.preventDefault();
  window.location.reload();
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the dashboard');
const language = shownLanguage(localStorage.getItem(LANGUAGE_KEY), navigator.languages);
document.documentElement.lang = language;
speak(language, await stringsOf(language));
// The constants of modules contain strings, so the pages are imported after the language is set.
const { App } = await import('./app.js');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
