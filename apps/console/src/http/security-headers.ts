import type { NextFunction, Request, Response } from 'express';

type Sources = Record<string, string>;

/** Returns the `Content-Security-Policy` of these sources. */
function sourcePolicy(sources: Sources): string {
  return Object.entries(sources)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');
}

// Nothing is loaded from elsewhere and no inline script or style runs. An alert's image is shown before
// upload, so `blob:` and `data:` are allowed.
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

/** For pages from other packages, which have styles in their HTML: the API page and the queue board. */
const WITH_STYLES: Sources = {
  ...OWN_PAGES,
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  // The queue board finds its files by the base URL that its page names.
  'base-uri': "'self'",
};

/**
 * For answers that are data: even if a browser shows one as a page, nothing in the answer is loaded or run.
 */
const DATA: Sources = { 'default-src': "'none'", 'frame-ancestors': "'none'" };

/** Policies by path; the first match applies. `frames` says what may frame the page. */
const POLICIES: { path: RegExp; policy: string; frames: 'DENY' | 'SAMEORIGIN' }[] = [
  { path: /^\/api\/docs(\/|$)/, policy: sourcePolicy(WITH_STYLES), frames: 'SAMEORIGIN' },
  { path: /^\/(api|health|metrics)(\/|$)/, policy: sourcePolicy(DATA), frames: 'DENY' },
  { path: /^\/queues(\/|$)/, policy: sourcePolicy(WITH_STYLES), frames: 'SAMEORIGIN' },
  { path: /^/, policy: sourcePolicy(OWN_PAGES), frames: 'SAMEORIGIN' },
];

/** Policy of a Casefile page that has its styles in its HTML. */
export const POLICY_WITH_STYLES = sourcePolicy(WITH_STYLES);

/**
 * Sets what the console's pages may load and what may frame them. Overrides the stricter headers of every
 * service.
 */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  const { policy, frames } = POLICIES.find(({ path }) => path.test(request.path)) ?? POLICIES.at(-1)!;
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Frame-Options', frames);
  next();
}
