import { z } from '@casefile/contracts';
import { decisionRule } from '../parts/deciding.js';
import { matching, sameContent } from '../parts/intake.js';
import { fromText } from '../parts/from-text.js';
import { lookUps } from '../parts/look-ups.js';
import { asRecorded } from '../parts/outward.js';
import { definePlaybook } from '../playbook.js';
import { defineOptions, toolWaitOption } from '../options.js';
import { mechanical } from '../reviewers/mechanical.js';
import { byRules } from '../strategies/one-answer.js';
import type { Rules } from '../strategy.js';

/** Rules that always need a person. */
export const toyRules: Rules = {
  answer: () => ({
    answer: { size: 'unknown' },
    explanation: 'The rules cannot tell.',
    claims: [],
    evidenceUsed: [],
    confidence: 0.5,
    remarks: [],
    confidenceSource: 'heuristic',
    method: 'heuristic',
  }),
};

const options = defineOptions('toy', z.object({ toolWaitMs: toolWaitOption(1_000) }));

/** A small kind of case for tests of shared parts: it reads a text, asks no tool and needs a person. */
export const toyKind = definePlaybook({
  name: 'toy',
  version: '1',
  intake: {
    claims: matching('It has a text.', ({ text }) => text !== undefined),
    problems: () => [],
    repeats: sameContent(0),
    entrances: [],
  },
  triage: fromText(() => ({ entities: {}, notes: [] })),
  tools: [],
  collect: lookUps({ plan: () => [], waitMs: () => 1_000 }),
  strategy: 'rules',
  strategies: { rules: byRules('rules', toyRules) },
  thinking: false,
  maxRounds: 1,
  onOutage: 'fallback',
  critique: mechanical(() => ''),
  write: () => ({ title: 'Toy', markdown: '', citations: [] }),
  decision: decisionRule({
    name: 'toy',
    missing: () => ({ causes: [] }),
    decide: () => ({
      outcome: { size: 'unknown' },
      disposition: 'review',
      confidence: 0.5,
      confidenceSource: 'heuristic',
      method: 'heuristic',
      reasons: [],
      citations: [],
    }),
  }),
  outward: asRecorded,
  presenting: {
    word: () => 'review',
    answer: () => 'unknown',
    rule: 'A person decides.',
    labels: {},
    scales: () => [],
  },
  options,
});
