import type { NextFunction, Request, Response } from 'express';

type Sources = Record<string, string>;

/** A `Content-Security-Policy` of these sources. */
function policyOf(sources: Sources): string {
  return Object.entries(sources)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');
}

// Nothing is loaded from elsewhere and nothing inline runs. An alert's image is shown before it is sent: blob, data.
const OWN_PAGES: Sources = {
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
};

/** For pages that are not of our making, and bring styles inside their HTML: the API page and the queue board. */
const WITH_STYLES: Sources = {
  ...OWN_PAGES,
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  // The queue board finds its own files by the base address that its page names.
  'base-uri': "'self'",
};

/** What is data is no page: should a browser be made to show it, nothing in it is loaded or run. */
const DATA: Sources = { 'default-src': "'none'", 'frame-ancestors': "'none'" };

/** The first that fits a path; each with what may frame it. */
const POLICIES: { path: RegExp; policy: string; frames: 'DENY' | 'SAMEORIGIN' }[] = [
  { path: /^\/api\/docs(\/|$)/, policy: policyOf(WITH_STYLES), frames: 'SAMEORIGIN' },
  { path: /^\/(api|health|metrics)(\/|$)/, policy: policyOf(DATA), frames: 'DENY' },
  { path: /^\/queues(\/|$)/, policy: policyOf(WITH_STYLES), frames: 'SAMEORIGIN' },
  { path: /^/, policy: policyOf(OWN_PAGES), frames: 'SAMEORIGIN' },
];

/** The policy of a page of ours that has its styles inside its HTML. */
export const POLICY_WITH_STYLES = policyOf(WITH_STYLES);

/** What the console's pages may load, and what may frame them; over the stricter headers that every service sets. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  const { policy, frames } = POLICIES.find(({ path }) => path.test(request.path)) ?? POLICIES.at(-1)!;
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Frame-Options', frames);
  next();
}
