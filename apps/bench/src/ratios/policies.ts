import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { silentLogger, type PolicyVersion } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { searchPolicyTree } from '@casefile/evidence';
import { openKnowledge, parseDocument, type PolicyBase } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { createPostgresStore } from '@casefile/store';
import { debianPolicy } from '@casefile/e2e/testing/debian-policy';
import { percentile, type Row } from './report.js';

const SAMPLES = new URL('../../../../samples/', import.meta.url);
const SEARCHES = 200;
/** Default number of results of `pi_search`. */
const SECTIONS = 4;
const signal = new AbortController().signal;

interface SampleCase {
  criteria: { id: string; text: string }[];
  expected: { criteria: { id: string; citations: { section: string }[] }[] };
}

/**
 * Measures the time to read, store and search a real policy, and how often a search by words alone finds the
 * needed section.
 */
export async function policies(databaseUrl: string): Promise<Row[]> {
  const folder = temporaryFolder('policies');
  const store = createPostgresStore({ databaseUrl, poolSize: 4, log: silentLogger });
  const { policies: base } = openKnowledge(store.database, silentPorts());
  try {
    debianPolicy(folder);
    const rows = [
      await importing(base, join(folder, 'policy.txt'), 2_000),
      await importing(base, join(folder, 'policy.pdf'), 10_000),
      ...(await searching(base)),
    ];
    return [...rows, await finding(base)];
  } finally {
    await store.close();
  }
}

async function importing(base: PolicyBase, path: string, limit: number): Promise<Row> {
  const from = performance.now();
  const parsed = await parseDocument({ name: path, bytes: readFileSync(path) });
  const read = performance.now() - from;
  await base.importPolicy({ ...parsed, policyId: parsed.format, language: 'en' });
  const ms = performance.now() - from;
  return {
    name: `Debian's policy imported, ${parsed.format}`,
    figure: `${parsed.sections.length} sections, ${ms.toFixed(0)} ms, of it ${read.toFixed(0)} ms to read`,
    ratio: ms / limit,
    wanted: `<= ${limit} ms`,
  };
}

async function searching(base: PolicyBase): Promise<Row[]> {
  const policy = await current(base, 'pdf');
  const tree = await base.policyTree(policy);
  const [search, spans]: [number[], number[]] = [[], []];
  for (let i = 0; i < SEARCHES; i += 1) {
    // Words of a summary of the policy. Each search uses another summary.
    const words = tree[(i * 7) % tree.length]?.summary.split(' ') ?? [];
    const query = words.slice(0, 8).join(' ') || 'package';
    const from = performance.now();
    const { sections } = await searchPolicyTree(base, { policy, query, limit: SECTIONS }, signal);
    search.push(performance.now() - from);
    const ids = sections.map(({ nodeId }) => nodeId);
    const next = performance.now();
    await base.findSpans(policy, ids, query, 5);
    spans.push(performance.now() - next);
  }
  return [row('pi_search by words', search, 100), row('spans_tighten in four sections', spans, 100)];
}

function row(name: string, took: number[], limit: number): Row {
  const [p50, p95] = [percentile(took, 50), percentile(took, 95)];
  return {
    name: `${name}, p95`,
    figure: `${p95.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms`,
    ratio: p95 / limit,
    wanted: `<= ${limit} ms`,
  };
}

/**
 * Searches with each criterion's own words, and counts how many of the sections that its answer needs are
 * found.
 */
async function finding(base: PolicyBase): Promise<Row> {
  const bytes = readFileSync(new URL('policies/claims-handling.md', SAMPLES));
  const parsed = await parseDocument({ name: 'claims-handling.md', bytes });
  await base.importPolicy({ ...parsed, policyId: 'claims-handling', language: 'en' });
  const policy = await current(base, 'claims-handling');
  const cases = JSON.parse(readFileSync(new URL('policy-cases.json', SAMPLES), 'utf8')) as SampleCase[];
  let [foundCount, needed] = [0, 0];
  for (const { criteria, expected } of cases) {
    for (const { id, text } of criteria) {
      const expectedSections = new Set(
        expected.criteria.find((one) => one.id === id)?.citations.map(({ section }) => section),
      );
      const { sections } = await searchPolicyTree(base, { policy, query: text, limit: SECTIONS }, signal);
      needed += expectedSections.size;
      foundCount += sections.filter(({ title }) => expectedSections.has(title)).length;
    }
  }
  return {
    name: 'sections of the sample criteria among the first four, by words alone',
    figure: `${foundCount} of ${needed}`,
    ratio: null,
    wanted: '',
  };
}

async function current(base: PolicyBase, policyId: string): Promise<PolicyVersion> {
  const version = await base.policyVersion(policyId);
  if (version === null) throw new Error(`no policy ${policyId}`);
  return version;
}
