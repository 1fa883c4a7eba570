import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One question with the figures that the pages of the site give for it. */
export interface Topic {
  question: string;
  /** Word that only the pages of this topic have. */
  word: string;
  right: number;
  retracted: number;
  contradicted: number;
  old: number;
  satire: number;
}

const THINGS = ['bridge', 'tunnel', 'library', 'ferry', 'stadium'];
const TOWNS = ['Arden', 'Belmar', 'Corvin', 'Dunmore'];

/** 20 topics. */
export const TOPICS: readonly Topic[] = TOWNS.flatMap((town, i) =>
  THINGS.map((thing, j): Topic => {
    const base = 110 + 97 * i + 19 * j;
    return {
      question: `How many workers repaired the ${thing} of ${town}?`,
      word: `${town}${thing}`,
      right: base,
      retracted: base + 1_001,
      contradicted: base + 2_003,
      old: base + 3_005,
      satire: base + 4_007,
    };
  }),
);

/** A site of 200 pages with a search that speaks SearXNG's JSON. */
export interface NewsSite {
  url: string;
  /** SHA-256 of each page, by its address. */
  digests: ReadonlyMap<string, string>;
  /** Paths that were asked for. */
  paths: string[];
  close(): void;
}

interface Page {
  path: string;
  title: string;
  html: string;
}

/** Starts the site. robots.txt forbids the folder `/private/`. */
export async function startNewsSite(): Promise<NewsSite> {
  const pages = TOPICS.map((topic) => topicPages(topic));
  const byPath = new Map(pages.flat().map((page) => [page.path, page]));
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    // The probe of the source belongs to no case.
    if (url.searchParams.get('q') !== 'casefile') paths.push(url.pathname);
    if (url.pathname === '/robots.txt')
      return send(response, 'text/plain', 'User-agent: *\nDisallow: /private/');
    if (url.pathname === '/search') return search(url.searchParams.get('q') ?? '', response);
    const page = byPath.get(url.pathname);
    if (page === undefined) return void response.writeHead(404).end();
    return send(response, 'text/html; charset=utf-8', page.html);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function search(query: string, response: ServerResponse): void {
    const at = TOPICS.findIndex(({ question }) => question === query);
    const found = (at < 0 ? [] : pages[at]!).map(({ path, title }) => ({
      url: `${origin}${path}`,
      title,
      content: 'Words that the search shows, with the figure 987654 of no page.',
    }));
    const missing = { url: `${origin}/gone/${at}`, title: 'A page that is gone', content: '' };
    send(response, 'application/json', JSON.stringify({ query, results: [...found, missing] }));
  }

  return {
    url: origin,
    digests: new Map([...byPath].map(([path, { html }]) => [`${origin}${path}`, sha256(html)])),
    paths,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type }).end(body);
}

/** Ten pages of a topic. */
function topicPages(topic: Topic): Page[] {
  const { question, word, right, retracted, contradicted, old, satire } = topic;
  const [, thing = '', town = ''] = /the (\w+) of (\w+)/.exec(question) ?? [];
  const about = `the ${thing} of ${town}`;
  const says = (workers: number) => `A crew of ${workers} workers repaired ${about} (${word}) last year.`;
  const page = (name: string, title: string, workers: number, more: Partial<Parts> = {}): Page => ({
    path: `/${more.folder ?? 'news'}/${word}-${name}`,
    title,
    html: article({ title, says: says(workers), day: '2026-03-02', ...more }),
  });
  const banner = '<div class="retraction-note">This article has been retracted by its authors.</div>';
  return [
    page('retracted', `The crew of ${about}`, retracted, { before: banner }),
    page('notice', `RETRACTED: work on ${about}`, retracted),
    page('report', `Report on ${about}`, right),
    page('again', `${town} thanks its crew`, right),
    page('other', `Another count for ${about}`, contradicted),
    page('old', `${about}, years ago`, old, { day: '2009-05-01' }),
    page('satire', `Crew of ${about} declares independence`, satire, {
      before: '<aside class="disclaimer">This article is satire.</aside>',
    }),
    page('private', `Inner notes on ${about}`, satire, { folder: 'private' }),
    page('costs', `What ${about} costs`, right),
    page('opening', `${about} opens again`, right),
  ];
}

interface Parts {
  title: string;
  says: string;
  day: string;
  before: string;
  folder: string;
}

function article({ title, says, day, before = '' }: Partial<Parts>): string {
  const filler =
    'The council of the town met twice, heard the neighbours, and published the minutes of both meetings on its board.';
  return `<!doctype html><html lang="en"><head><title>${title}</title>
<meta property="article:published_time" content="${day}T08:00:00Z"><meta name="author" content="Jo Field"></head>
<body><nav><a href="/">Home</a></nav>${before}<article><h1>${title}</h1><p>${says}</p><p>${filler}</p><p>${filler}</p></article>
<footer>Imprint and contact of the publisher</footer></body></html>`;
}
