import { z } from '@casefile/contracts';
import { extractFromMessage } from '../../entities/extract-from-message.js';
import { definePlaybook, type KindExample } from '../../playbook.js';
import { riskLevel } from './decide.js';
import { fromText } from '../../parts/from-text.js';
import { fanOut, lookUps } from '../../parts/look-ups.js';
import { mechanical } from '../../reviewers/mechanical.js';
import { byRules, singleShot } from '../../strategies/one-answer.js';
import type { Rules } from '../../strategy.js';
import { readTextRequest, TEXT_SIGNALS } from '../../text-signals/signals-found.js';
import { expectTextOrImage, hasTextOrImage } from '../../text-or-image.js';
import { evidenceLine } from './evidence-line.js';
import { heuristic } from './heuristic.js';
import { options } from './options.js';
import { RISK_LEVELS, scamQuestion } from './question.js';
import { writeReport } from './write.js';
import { presenting } from './present.js';

/** A suspicious text, and what came of it. */
const example: KindExample = {
  alert: {
    playbook: 'scam-verdict',
    text: 'Your parcel is held. Pay the fee at https://parcel.example/pay',
    source: 'sms-gateway',
  },
  verdict: {
    outcome: { riskLevel: 'high' },
    disposition: 'act',
    confidence: 0.91,
    confidenceSource: 'llm',
    method: 'llm',
    reasons: ['The number was reported as a scam ten times [E1].'],
    citations: ['E1'],
    degraded: false,
    degradedBy: [],
    degradedNote: '',
    decidedAt: '2026-01-05T10:00:09.000Z',
  },
};

const HOUR_MS = 3_600_000;
/** How an alert is judged without a model. */
export const rules: Rules = { answer: heuristic };

/** Is a suspicious text part of a scam? A model weighs what tools found, a heuristic takes over when it cannot. S1. */
export const scamVerdict = definePlaybook({
  name: 'scam-verdict',
  version: '2',
  matches: hasTextOrImage,
  // S1-01: what is judged is a text, pasted or in an image.
  validate: expectTextOrImage('a text'),
  joinsRepeats: true,
  holdOffMs: 24 * HOUR_MS,
  triage: fromText((text, context) =>
    extractFromMessage(text, context, options.read(context.settings.options).phoneRegions),
  ),
  tools: ['scam_db', 'exa_search', 'domain_reputation', 'phone_validator', TEXT_SIGNALS],
  collect: lookUps({
    plan: (input, tools) => [...fanOut(input, tools), ...readTextRequest(input.brief)],
    waitMs: () => 20_000,
  }),
  strategy: 'single-shot',
  strategies: {
    'single-shot': singleShot(scamQuestion, rules, options),
    heuristic: byRules('heuristic', rules),
  },
  // S2-07: thinking costs more time than its deadline leaves.
  reasoning: false,
  critique: mechanical(evidenceLine),
  write: ([unit]) => writeReport(unit),
  decision: riskLevel,
  judged: z.object({ riskLevel: z.enum(RISK_LEVELS) }),
  presenting,
  example,
  maxRounds: 1,
  onOutage: 'fallback',
  options,
});
