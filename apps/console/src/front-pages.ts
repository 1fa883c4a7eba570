import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import { searchSections, sectionsBelow, type Section } from './docs-search.js';
import { POLICY_WITH_STYLES } from './http/security-headers.js';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRONT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Casefile</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
</style>
</head>
<body>
<main>
<h1>Casefile</h1>
<p>Alerts become verdicts that can be audited.</p>
<ul>
<li><a href="/api/v1/cases">Cases</a>: the record, newest first</li>
<li><a href="/api/v1/events?lastEventId=0">Events</a>: what happened and happens, as a stream</li>
<li><a href="/queues">Queues</a>: the jobs of each stage and tool</li>
<li><a href="/api/v1/dead-letters">Dead letters</a>: work that waits for a person</li>
<li><a href="/api/docs">API</a>: every route, to read and to try (<a href="/api/openapi.json">OpenAPI document</a>)</li>
<li><a href="/metrics">Metrics</a> and <a href="/health/ready">health</a></li>
</ul>
</main>
</body>
</html>
`;

/** Page at the root if the dashboard is not built. */
export function frontPages(): Router {
  const pages = Router();
  pages.get('/', (_request, response) => {
    response.setHeader('Content-Security-Policy', POLICY_WITH_STYLES);
    response.type('html').send(FRONT_PAGE);
  });
  // Without a dashboard, the link to a case leads to the JSON document of the case.
  pages.get('/cases/:caseId', (request, response) =>
    response.redirect(`/api/v1/cases/${encodeURIComponent(request.params.caseId)}`),
  );
  return pages;
}

/** Output folder of the dashboard build. The relative path is the same from src and from dist. */
const BUILT = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url));

/** The documentation of the repository. The relative path is the same from src and from dist. */
const DOCUMENTATION = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Paths that never belong to the dashboard, nor do paths below them. */
const NOT_PAGES = /^\/(api|auth|acknowledge|queues|health|metrics|ws)(\/|$)/;

const YEAR_SECONDS = 31_536_000;
/** The names of files under `assets` contain a digest of their content. */
const FOR_EVER = `public, max-age=${YEAR_SECONDS}, immutable`;
const ASK_AGAIN = 'no-cache';

/**
 * Serves the dashboard's files, and its page for every path that is one of its views. null: it is not built.
 */
export function dashboardPages(folder = BUILT): Router | null {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return null;
  const assets = join(folder, 'assets') + sep;
  const pages = Router();
  const setHeaders = (response: ServerResponse, path: string) =>
    void response.setHeader('Cache-Control', path.startsWith(assets) ? FOR_EVER : ASK_AGAIN);
  pages.use(express.static(folder, { index: false, redirect: false, setHeaders }));
  pages.get('/docs/search.json', answersSearch());
  // The page `/docs/reference/glossary` of the dashboard shows the file `/docs/reference/glossary.md`.
  pages.use(
    '/docs',
    express.static(DOCUMENTATION, { index: false, redirect: false, extensions: false, setHeaders }),
  );
  pages.use((request, response, next) => {
    if (!isView(request)) return next();
    sendPage(response, page);
  });
  return pages;
}

/** Answers the sections of the documentation that contain the words of the parameter `q`. Reads the pages once, when first called. */
function answersSearch(): RequestHandler {
  let sections: Section[] | undefined;
  return ({ query: { q } }, response) => {
    response.setHeader('Cache-Control', ASK_AGAIN);
    response.json(
      typeof q === 'string' ? searchSections((sections ??= sectionsBelow(DOCUMENTATION)), q) : [],
    );
  };
}

// A missing file is answered with 404, because a browser would read the page as a script or an image.
function isView({ method, path }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && !NOT_PAGES.test(path) && extname(path) === '';
}

function sendPage(response: Response, page: string): void {
  response.setHeader('Cache-Control', ASK_AGAIN);
  response.sendFile(page);
}
