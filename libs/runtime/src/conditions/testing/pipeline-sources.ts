import type { PipelineFigures, QueueDepth } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import type { PipelineSources } from '../pipeline-view.js';

/** What the record has in `pipelineSources`. */
export const FIGURES: PipelineFigures = {
  stages: [
    { name: 'reason', lane: 'live', doneLastMinute: 4, failedLastHour: 1, notConfiguredLastHour: 0 },
    { name: 'reason', lane: 'batch', doneLastMinute: 2, failedLastHour: 0, notConfiguredLastHour: 0 },
    { name: 'reason', lane: 'replay', doneLastMinute: 3, failedLastHour: 2, notConfiguredLastHour: 0 },
  ],
  tools: [{ name: 'rdap', lane: 'live', doneLastMinute: 7, failedLastHour: 5, notConfiguredLastHour: 6 }],
  models: [{ provider: 'openai', model: 'm', calls: 2, tokens: 30, costUsd: 0.5 }],
  verdicts: { lastHour: 1, byDisposition: { act: 1 }, fallbackRate: 0, abstainRate: 0 },
  deadLetters: 3,
  held: [
    { stage: 'reason', lane: 'live', n: 2 },
    { stage: 'reason', lane: 'batch', n: 5 },
    { stage: 'reason', lane: 'shadow', n: 1 },
  ],
};
const depth = (queue: string, waiting: number, oldestMs: number | null): QueueDepth => ({
  queue,
  waiting,
  active: 1,
  delayed: 2,
  failed: 9,
  oldestMs,
});

/** Sources of a pipeline's view, and how often they were read. */
export function pipelineSources(over: Partial<PipelineSources['store']> = {}) {
  const clock = manualClock();
  let looks = 0;
  const found: PipelineSources = {
    clock,
    stages: [
      { name: 'triage', app: 'evidence-collector' },
      { name: 'reason', app: 'reasoner' },
    ],
    toolNames: ['rdap'],
    budgets: { day: { usd: 2, tokens: 900, soft: 0.8 }, lane: {}, playbook: {} },
    queues: async () => {
      looks += 1;
      const depths = [depth('reason', 5, 40), depth('reason.bulk', 6, 50), depth('tool.rdap', 7, null)];
      return { depths, outage: null };
    },
    store: {
      record: { pipelineFigures: async () => FIGURES, roundFigures: async () => [] },
      runs: { backlog: async () => 11 },
      processes: { list: async () => [] },
      providers: {
        states: async () => [
          {
            provider: 'openai',
            state: 'open' as const,
            probeInMs: 5_000,
            reason: 'server_error',
            failures: 4,
            changedAt: '',
          },
        ],
      },
      budgets: {
        states: async () => [
          {
            key: 'day:usd',
            window: '2026-01-05',
            measure: 'usd' as const,
            limit: 2_000_000,
            reserved: 100_000,
            spent: 500_000,
            warned: false,
            changedAt: '',
          },
          {
            key: 'day:tokens',
            window: '2026-01-05',
            measure: 'tokens' as const,
            limit: 900,
            reserved: 0,
            spent: 10,
            warned: false,
            changedAt: '',
          },
        ],
      },
      ...over,
    },
  };
  return { found, clock, looks: () => looks };
}
