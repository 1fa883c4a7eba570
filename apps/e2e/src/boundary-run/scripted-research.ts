import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { playResearch } from '../testing/research-simulator.js';
import type { ScriptedCases } from './kill-at-boundaries.js';

const SAMPLES = new URL('../../../../samples/', import.meta.url);
/** Duration of each call, in milliseconds, so that a process can be killed during a call. */
const CALL_MS = 30;

/**
 * The first bundled question, repeated. Each is answered separately in three rounds: a search, two drafts, a
 * report.
 */
export const scriptedResearches: ScriptedCases = {
  answer: playResearch(CALL_MS),
  configured: (folder, handOn) => {
    const config = join(folder, 'config.yaml');
    const pages = fileURLToPath(new URL('pages.json', SAMPLES));
    writeFileSync(
      config,
      `handOn: ${handOn}
lease: { seconds: 1 }
evidence: { pages: '${pages}' }
playbooks: { research: { reuseForMs: 0 } }
`,
    );
    return { config, callsMade: () => [] };
  },
  post: () => {
    const [first] = JSON.parse(readFileSync(new URL('research.json', SAMPLES), 'utf8')) as object[];
    return { path: '/v1/alerts', body: first! };
  },
  runIdIn: (answered) => (answered as { runId?: string }).runId,
};
