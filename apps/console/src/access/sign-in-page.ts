import type { Response } from 'express';
import { POLICY_WITH_STYLES } from '../http/security-headers.js';

/** Content of a page about a sign-in that did not succeed. */
export interface SignInPage {
  status: 400 | 401 | 403 | 404 | 429 | 503;
  title: string;
  /** Paragraphs of plain text. */
  lines: readonly string[];
  /** Path to sign in again; null: that would have the same result. */
  again: string | null;
}

/** Answers with a page without scripts. All text is escaped. */
export function sendSignInPage(response: Response, { status, title, lines, again }: SignInPage): void {
  response.status(status);
  response.setHeader('Content-Security-Policy', POLICY_WITH_STYLES);
  response.setHeader('Cache-Control', 'no-store');
  const link = again === null ? '' : `<p><a href="${escaped(again)}">Sign in again</a></p>`;
  response.type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} - Casefile</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
${link}
<p><a href="/">Casefile</a></p>
</main>
</body>
</html>
`);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
