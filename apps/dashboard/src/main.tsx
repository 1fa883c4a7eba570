import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

// After an update on the server the parts of an open page have other names: the page is loaded again.
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
