import { mkdirSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@casefile/contracts';
import type { SimulatorOptions } from '@casefile/llm-simulator/simulator';
import { approveAllTools } from '../testing/approve-tools.js';
import type { ScriptedCases } from './kill-at-boundaries.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TAP = fileURLToPath(new URL('../../dist/testing/mcp-tap.js', import.meta.url));

/** Rival causes, one with the look-up that decides on it. */
const CAUSES: JsonObject[] = [
  {
    name: 'replication slot',
    cause: 'The replication slot replica_2 is inactive',
    test: { tool: 'cluster__metrics', args: { service: 'orders-db' } },
  },
  { name: 'large table', cause: 'A table of orders-db grew' },
];
/** Turns of a model that investigates a full disk: two concurrent look-ups, rival causes with one more, and the end. */
const TURNS: readonly (readonly [tool: string, args: JsonObject])[][] = [
  [
    ['cluster__disk_usage', { instance: 'db-1' }],
    ['cluster__logs', { service: 'orders-db', query: 'walsender' }],
  ],
  [['causes', { causes: CAUSES }]],
  [['stop', { reason: 'An inactive replication slot keeps the write-ahead log.' }]],
];
const WALSENDER = /\[(E\d{1,3})\] cluster__logs [^\n]{0,200}walsender/;
const conclusionOf = (prompt: string) => ({
  summary: 'An inactive replication slot keeps the write-ahead log, so the disk fills.',
  hypotheses: [
    {
      cause: 'The replication slot replica_2 is inactive',
      probability: 0.9,
      citations: [
        {
          id: WALSENDER.exec(prompt)?.[1] ?? 'E0',
          quote: 'terminating walsender for replica_2 due to replication timeout',
        },
      ],
    },
  ],
  ruledOut: [],
  actions: [{ what: 'Bring replica_2 back', risk: 'low', reversible: true }],
  impact: { now: false, what: 'Orders stop when the disk is full' },
  falseAlarm: { is: false, citations: [] },
  confidence: 0.8,
});

/** Returns the answer of the cross-examination: the only cause is supported. */
const examined = (prompt: string) => ({
  claims: [...prompt.matchAll(/^(C\d) \[[^\]]*\]: (.*)$/gm)].map(([, id, claim = '']) =>
    claim.endsWith('The replication slot replica_2 is inactive')
      ? { id, answer: 'supports', quote: 'terminating walsender for replica_2 due to replication timeout' }
      : { id, answer: 'not_in_it', quote: '' },
  ),
});

/**
 * Answer of a simulated model about the incident. It depends only on the length of the conversation, so a
 * repeated request gets the same answer.
 */
export const answer: SimulatorOptions['answer'] = ({ turns, tools }) => {
  const usage = { input: 400, output: 40, reasoning: 0, cached: 0 };
  const common = { kind: 'answer' as const, usage, delayMs: 30 };
  if (tools.length > 0) {
    const pastTurns = turns.filter(({ role }) => role === 'assistant').length;
    const calls = TURNS[Math.min(pastTurns, TURNS.length - 1)]!;
    const toolCalls = calls.map(([name, args], i) => ({
      id: `call_${pastTurns}_${i}`,
      name,
      arguments: JSON.stringify(args),
    }));
    return { ...common, content: '', toolCalls };
  }
  const prompt = turns.map(({ text }) => text).join('\n');
  const content = prompt.includes('"hypotheses"')
    ? JSON.stringify(conclusionOf(prompt))
    : prompt.includes('"not_in_it"')
      ? JSON.stringify(examined(prompt))
      : 'The disk of db-1 is well.';
  return { ...common, content };
};

/** Returns one of many alerts about the same problem. */
export const alertNumber = (n: number): JsonObject => ({
  status: 'firing',
  labels: {
    alertname: 'DiskAlmostFull',
    severity: 'critical',
    service: 'orders-db',
    instance: 'db-2',
    team: `${n}`,
  },
  annotations: { summary: 'The disk of db-2 is 97 % full' },
  startsAt: '2026-03-02T08:55:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `boundary-${n}`,
});

/**
 * Writes a configuration with the tools of the sample cluster behind a tap, and the sample runbooks.
 * @returns its path, and a reader of the calls that reached the cluster, each with its arguments.
 */
export function configureIncident(
  folder: string,
  handOn: 'queue' | 'direct',
): { config: string; callsMade(): string[] } {
  const calls = join(folder, 'calls');
  const orders = join(folder, 'orders');
  mkdirSync(folder, { recursive: true });
  for (const file of [calls, orders]) writeFileSync(file, '');
  const cluster = {
    command: process.execPath,
    args: [TAP, calls, orders, process.execPath, join(ROOT, 'samples/cluster/server.mjs')],
    env: { PATH: process.env['PATH'] },
    allow: ['disk_usage', 'metrics', 'logs', 'deployments'],
    kinds: ['incident'],
  };
  const config = join(folder, 'config.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      handOn,
      lease: { seconds: 1 },
      calls: { probeAtStart: false },
      mcp: { servers: { cluster }, limits: { healthMs: 500 } },
      runbooks: { sources: [{ folder: join(ROOT, 'samples/runbooks') }] },
    }),
  );
  return { config, callsMade: () => readFileSync(calls, 'utf8').split('\n').filter(Boolean) };
}

/** Alerts of a full disk, one after another. */
export const scriptedIncidents: ScriptedCases = {
  answer,
  configured: configureIncident,
  prepare: (store) => approveAllTools(store, 1),
  post: (n) => ({
    path: '/v1/webhooks/alertmanager',
    body: { version: '4', status: 'firing', alerts: [alertNumber(n)] },
  }),
  runIdIn: (answered) => (answered as { results: { runId: string }[] }).results[0]?.runId,
};
