import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

// After an update of the server, the chunks of an open page have other names, so the page is reloaded.
window.addEventListener('vite:preloadError', (event) => {
  event.preventDefault();
  window.location.reload();
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the dashboard');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
