import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page with a list of the events that must not happen on it. */
export interface WatchedPage {
  page: Page;
  /** Dialogs, requests to other origins, blocked content and uncaught errors: each as a sentence. */
  offences: string[];
  close(): Promise<void>;
}

/** Opens a page on `origin` that records every offence. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  // Timeout below that of a test.
  context.setDefaultTimeout(50_000);
  const page = await context.newPage();
  const offences: string[] = [];
  page.on('dialog', (dialog) => {
    offences.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin: its } = new URL(request.url());
    if (protocol.startsWith('http') && its !== origin) offences.push(`request: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) offences.push(`policy: ${message.text()}`);
  });
  page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
  return { page, offences, close: () => context.close() };
}
