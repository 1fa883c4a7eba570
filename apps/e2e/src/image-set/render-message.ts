import type { Browser } from 'playwright-core';

/** Looks of a message: colours, and device pixels per CSS pixel. */
export const LOOKS = [
  { name: 'light 1x', page: '#fff', bubble: '#e9e9eb', ink: '#111', scale: 1 },
  { name: 'dark 1x', page: '#000', bubble: '#26252a', ink: '#f4f4f4', scale: 1 },
  { name: 'light 3x', page: '#fff', bubble: '#e9e9eb', ink: '#111', scale: 3 },
  { name: 'dark 3x', page: '#000', bubble: '#26252a', ink: '#f4f4f4', scale: 3 },
] as const;
export type Look = (typeof LOOKS)[number];

/** Returns a PNG screenshot of a message in a phone chat, 390 CSS pixels wide. */
export async function renderMessage(browser: Browser, text: string, look: Look): Promise<Buffer> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 200 },
    deviceScaleFactor: look.scale,
  });
  try {
    const page = await context.newPage();
    await page.setContent(htmlOf(text, look));
    return await page.screenshot({ fullPage: true });
  } finally {
    await context.close();
  }
}

function htmlOf(text: string, { page, bubble, ink }: Look): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const bubbleStyle = `margin:8px 14px 24px;padding:10px 14px;border-radius:18px;background:${bubble};max-width:290px`;
  return (
    `<body style="margin:0;width:390px;background:${page};color:${ink};font:17px/22px sans-serif">` +
    `<div style="padding:10px 16px;opacity:.6;font-size:13px;text-align:center">Text Message<br>Today 9:32</div>` +
    `<div style="${bubbleStyle};overflow-wrap:break-word">${escaped}</div></body>`
  );
}
