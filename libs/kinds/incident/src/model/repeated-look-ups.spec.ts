import { z, type Json, type JsonObject } from '@casefile/contracts';
import {
  call,
  calls,
  playTurns,
  type ScriptedTurn,
  type WorldTool,
} from '@casefile/pipeline/testing/turn-world';
import { incident } from '../playbook.js';
import { resultIn } from '../read-result.js';
import { anIncidentInput } from '../testing/incident-builders.js';

/** Step by which look-ups that bring nothing new have ended. */
const LAST_STEP = 8;

const ANALYSIS = {
  summary: 'It was looked into.',
  hypotheses: [],
  ruledOut: [],
  actions: [],
  impact: { now: true, what: 'Users wait.' },
  falseAlarm: null,
  confidence: 0.5,
};

const answering = (answer: (args: JsonObject) => Json): WorldTool => ({
  asks: z.looseObject({}),
  locality: 'remote',
  answer,
});
/** The lines differ in their times alone, and repeat the question. */
const tools = {
  cluster__logs: answering(({ query, limit = 0 }) => ({
    text: `logs of ${String(query)}, at most ${String(limit)}\n2026-01-05T10:0${Number(limit) % 10}:00Z ERROR pool exhausted, 20 of 20 connections in use by orders`,
  })),
  cluster__disk_usage: answering(({ instance }) => ({
    text: `${String(instance)} /var/lib/postgresql 41 % of 200 GiB`,
  })),
  cluster__deployments: answering(() => ({ text: 'orders 4.1.0 2026-02-25' })),
  stored_result: answering(() => ({ text: 'the rest' })),
};

const logs = (query: string, limit?: number) =>
  call('cluster__logs', { service: 'orders', query, ...(limit === undefined ? {} : { limit }) });
const disk = (instance: string, limit?: number) =>
  call('cluster__disk_usage', { instance, ...(limit === undefined ? {} : { limit }) });

const WAYS: Record<string, (step: number) => ScriptedTurn> = {
  'the same look-up': () => calls(logs('error')),
  'the same look-up with another limit': (step) => calls(logs('error', step)),
  'reworded look-ups with the same answer': (step) =>
    calls(logs(['error', 'errors now', 'the errors', 'error lines', 'any error'][step % 5]!)),
  'A-B-A-B': (step) => calls(step % 2 === 0 ? logs('error') : disk('db-2')),
  'A-B-A-B with other limits': (step) => calls(step % 2 === 0 ? logs('error', step) : disk('db-2', step)),
  'A-B-C-A-B-C': (step) =>
    calls([logs('error'), disk('db-2'), call('cluster__deployments', { service: 'orders' })][step % 3]!),
  'A-B-A-B with both in each turn': (step) =>
    calls(...(step % 2 === 0 ? [logs('error'), disk('db-2')] : [disk('db-2'), logs('error')])),
};

describe('T-61 look-ups that bring nothing new', () => {
  it.each(Object.keys(WAYS))(`end by step ${LAST_STEP}: %s`, async (way) => {
    const played = await playTurns({
      playbook: incident,
      input: anIncidentInput(),
      unit: '',
      script: (request, step) =>
        request.promptId.startsWith('incident/final')
          ? { content: JSON.stringify(ANALYSIS) }
          : WAYS[way]!(step),
      tools,
      options: { partialAnalysis: false },
    });
    if (played.outcome.kind !== 'done') throw new Error(`it ended in ${played.outcome.kind}`);
    const { iterations, endedBy } = resultIn(played.outcome.artifact);
    expect(endedBy).toBe('no_progress');
    expect(iterations).toBeLessThanOrEqual(LAST_STEP);
  });
});
