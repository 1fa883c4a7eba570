import { Router } from 'express';
import { POLICY_WITH_STYLES } from './http/security-headers.js';

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

/** What people find at the root where the dashboard is not built. */
export function frontPages(): Router {
  const pages = Router();
  pages.get('/', (_request, response) => {
    response.setHeader('Content-Security-Policy', POLICY_WITH_STYLES);
    response.type('html').send(FRONT_PAGE);
  });
  // Where the dashboard shows a case: its document.
  pages.get('/cases/:caseId', (request, response) =>
    response.redirect(`/api/v1/cases/${encodeURIComponent(request.params.caseId)}`),
  );
  return pages;
}
