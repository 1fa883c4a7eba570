import { existsSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router, type Request, type Response } from 'express';

/** Where the build puts the dashboard; beside this app from src and from dist alike. */
const BUILT = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url));

/** Paths that are not the dashboard's, whatever is below them. */
const NOT_PAGES = /^\/(api|queues|health|metrics|ws)(\/|$)/;

const YEAR_SECONDS = 31_536_000;
/** Files under `assets` have a digest of what they hold in their names. */
const FOR_EVER = `public, max-age=${YEAR_SECONDS}, immutable`;
const ASK_AGAIN = 'no-cache';

/** The dashboard's files, and its page for every path that is one of its views. null: it is not built. */
export function dashboardPages(folder = BUILT): Router | null {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return null;
  const assets = join(folder, 'assets') + sep;
  const pages = Router();
  pages.use(
    express.static(folder, {
      index: false,
      redirect: false,
      setHeaders: (response, path) =>
        void response.setHeader('Cache-Control', path.startsWith(assets) ? FOR_EVER : ASK_AGAIN),
    }),
  );
  pages.use((request, response, next) => {
    if (!isView(request)) return next();
    sendPage(response, page);
  });
  return pages;
}

// A file that is not there is not there: a page in its place would be read as a script or an image.
function isView({ method, path }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && !NOT_PAGES.test(path) && extname(path) === '';
}

function sendPage(response: Response, page: string): void {
  response.setHeader('Cache-Control', ASK_AGAIN);
  response.sendFile(page);
}
