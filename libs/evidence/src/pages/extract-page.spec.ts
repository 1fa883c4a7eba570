import { extractedPage } from './extract-page.js';

const URL_OF_PAGE = 'https://news.example/a/bridge';
const page = (html: string | Uint8Array, contentType = 'text/html; charset=utf-8') =>
  extractedPage(typeof html === 'string' ? Buffer.from(html) : html, { url: URL_OF_PAGE, contentType });

const SENTENCE =
  'The council of the town decided, after a long debate, that the old bridge will open again on Monday.';
const ARTICLE = `<h1>The bridge opens</h1>${`<p>${SENTENCE} It was closed, for repairs, since May.</p>`.repeat(4)}`;
const HEAD = `<title>The bridge opens | News</title>
  <meta property="og:title" content="The bridge opens">
  <meta property="og:site_name" content="News of the town">
  <meta name="author" content="Ada  Byron">
  <meta property="article:published_time" content="2026-03-02T08:00:00Z">
  <link rel="canonical" href="/bridge">`;
const NAV = '<nav><a href="/">Home</a> <a href="/sport">Sport and all other news</a></nav>';

describe('T-61 the main text of a page', () => {
  it('is the article without navigation, with title, author, date, language, site and canonical address', () => {
    const html = `<!doctype html><html lang="en-GB"><head>${HEAD}</head><body>${NAV}<article>${ARTICLE}</article>
      <footer>All rights reserved by the publisher of this page</footer></body></html>`;
    const read = page(html);
    expect(read).toMatchObject({
      title: 'The bridge opens',
      author: 'Ada Byron',
      published: '2026-03-02T08:00:00Z',
      language: 'en-GB',
      canonical: 'https://news.example/bridge',
      site: 'News of the town',
      notices: [],
    });
    expect(read.text).toContain(`${SENTENCE} It was closed, for repairs, since May.\n\nThe council`);
    expect(read.text).not.toMatch(/Sport|All rights/);
  });

  it('keeps a note outside the article that it was retracted, and what linked data states', () => {
    const data = { '@type': 'SatiricalArticle', datePublished: '2026-01-05', author: [{ name: 'B. Clown' }] };
    const read =
      page(`<html><head><script type="application/ld+json">${JSON.stringify(data)}</script></head><body>
      <div class="retraction-banner">This article has been <b>retracted</b> by its authors.</div>
      ${NAV}<article>${ARTICLE}</article></body></html>`);
    expect(read).toMatchObject({
      author: 'B. Clown',
      published: '2026-01-05',
      notices: ['This article is satire.', 'This article has been retracted by its authors.'],
    });
  });

  it('does not take the name of another site from its canonical address', () => {
    expect(page('<link rel="canonical" href="https://reuters.com/x"><p>A text</p>').canonical).toBeNull();
  });

  it('of a page that is no article is all its visible text, without scripts', () => {
    const read = page(
      '<script>evil()</script><p>Open <b>9</b> to 5</p><div hidden>Secret</div><p>Closed on Sunday</p>',
    );
    expect(read.text).toBe('Open 9 to 5\n\nClosed on Sunday');
  });

  it('is decoded by its content type or its meta', () => {
    const latin = Buffer.from('<p>Caf\u00e9 ouvert</p>', 'latin1');
    expect(page(latin, 'text/html; charset=iso-8859-1').text).toBe('Café ouvert');
    const meta = Buffer.from('<meta charset="windows-1252"><p>Caf\u00e9 ouvert</p>', 'latin1');
    expect(page(meta, 'text/html').text).toBe('Café ouvert');
    expect(page(Buffer.from('<p>Café</p>'), 'text/html; charset=none-such').text).toBe('Café');
  });

  it('of a page that nests without end is read without Readability, which takes cubic time in the depth', () => {
    const depth = 3_000;
    const read = page(
      `<html><body>${'<div>'.repeat(depth)}A deep text${'</div>'.repeat(depth)}</body></html>`,
    );
    expect(read.text).toBe('A deep text');
  });
});
