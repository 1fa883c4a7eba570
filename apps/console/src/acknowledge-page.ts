import { createHash } from 'node:crypto';
import {
  asCasefileError,
  CasefileError,
  type CaseStore,
  type Clock,
  type Logger,
  type PageLink,
} from '@casefile/contracts';
import { pageLinkHash, type AttemptLimit } from '@casefile/runtime';
import { Router, type Request, type Response } from 'express';
import { pagerNames, type PagerPorts } from './pagers.js';

/** Paths of the page, for which a browser sends a form without fields. */
export const ACKNOWLEDGE_PATH = '/acknowledge';

export interface AcknowledgePageParts extends PagerPorts {
  store: PagerPorts['store'] & { pageLinks: Pick<CaseStore['pageLinks'], 'find' | 'use'> };
  /** Counts links that do not exist, per address. */
  attempts: AttemptLimit;
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'warn'>;
}

/** What the page says. `button`: whether it asks to acknowledge. */
interface PageWords {
  status: 200 | 404 | 410 | 429 | 503;
  title: string;
  lines: readonly string[];
  button: boolean;
}

/**
 * Routes of the links by which people acknowledge pages without a session. Reading the page changes nothing, because
 * chats, mail scanners and browsers open links. Only its button acknowledges.
 */
export function acknowledgePage(parts: AcknowledgePageParts): Router {
  const router = Router();
  // Express answers HEAD as GET.
  router.get('/:token', (request, response) => answer(parts, request, response, read));
  router.post('/:token', (request, response) => answer(parts, request, response, acknowledge));
  return router;
}

type Work = (parts: AcknowledgePageParts, tokenHash: string) => Promise<PageWords | null>;

async function answer(
  parts: AcknowledgePageParts,
  request: Request,
  response: Response,
  work: Work,
): Promise<void> {
  const { attempts, log } = parts;
  const address = request.socket.remoteAddress;
  request.resume();
  try {
    const { token } = request.params;
    const tokenHash = typeof token === 'string' ? pageLinkHash(token) : null;
    const words = await attempts.run(address, async () => {
      const found = tokenHash === null ? null : await work(parts, tokenHash);
      if (found === null) throw new CasefileError('unauthenticated', 'There is no such link.');
      return found;
    });
    send(response, words);
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (error.reasonCode === 'unauthenticated') return send(response, UNKNOWN);
    if (error.reasonCode === 'too_many') return send(response, TOO_MANY);
    log.warn({ error }, 'a page could not be acknowledged by its link');
    send(response, UNAVAILABLE);
  }
}

async function read({ store, clock }: AcknowledgePageParts, tokenHash: string): Promise<PageWords | null> {
  const link = await store.pageLinks.find(tokenHash, clock.now());
  if (link === null) return null;
  if (link.state !== 'open') return refusal(link);
  const { severity, sentAt } = link;
  const lines = [...caseLines(link), `Severity: ${severity}`, `Sent: ${sentAt}`];
  return { status: 200, title: 'Acknowledge this page?', lines, button: true };
}

async function acknowledge(parts: AcknowledgePageParts, tokenHash: string): Promise<PageWords | null> {
  const { store, clock } = parts;
  const link = await store.pageLinks.use(tokenHash, await pagerNames(parts), clock.now());
  if (link === null) return null;
  if (link.state !== 'open') return refusal(link);
  const lines = [...caseLines(link), 'The case stays open. Sign in to Casefile to read and answer it.'];
  return { status: 200, title: 'The page is acknowledged', lines, button: false };
}

const caseLines = ({ caseId }: PageLink): string[] => [`Case: ${caseId}`];

const REFUSALS: Record<Exclude<PageLink['state'], 'open'>, string> = {
  used: 'This page was acknowledged by a link already. A link can be used once.',
  expired: 'This link has expired: it is valid for one hour. Sign in to Casefile to acknowledge the page.',
  answered: 'A person has answered this case already. There is nothing to acknowledge.',
  erased: 'The content of this case was erased. There is nothing to acknowledge.',
};

function refusal({ state }: PageLink): PageWords {
  const line = state === 'open' ? '' : REFUSALS[state];
  return { status: 410, title: 'Nothing was acknowledged', lines: [line], button: false };
}

const UNKNOWN: PageWords = {
  status: 404,
  title: 'Nothing was acknowledged',
  lines: ['This link is not valid. Open the link in the newest message, or sign in to Casefile.'],
  button: false,
};
const TOO_MANY: PageWords = {
  status: 429,
  title: 'Nothing was acknowledged',
  lines: ['Too many links that are not valid were opened from here. Try again in a minute.'],
  button: false,
};
const UNAVAILABLE: PageWords = {
  status: 503,
  title: 'Nothing was acknowledged',
  lines: [
    'Casefile cannot read its record now. Try again in a minute, or acknowledge the page in your pager.',
  ],
  button: false,
};

const STYLE = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
button { font: inherit; padding: 0.6rem 1.2rem; }`;
// No script, nothing from elsewhere, and no frame. The page posts to itself alone.
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function send(response: Response, { status, title, lines, button }: PageWords): void {
  response.status(status);
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Cache-Control', 'no-store');
  // With `no-referrer` a browser would send the form with the origin `null`, which is refused.
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  // A form of this type needs no other parser. Its target is the address of the page.
  const form = '<form method="post" enctype="multipart/form-data"><button>Acknowledge</button></form>';
  response.type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Casefile</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${lines.map((line) => `<p>${line}</p>`).join('\n')}
${button ? form : ''}
</main>
</body>
</html>
`);
}
