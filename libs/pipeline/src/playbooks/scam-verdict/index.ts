import { PAST_CASES_TOOL } from '@casefile/contracts';
import { extractFromMessage } from '../../entities/extract-from-message.js';
import { matching, sameContent } from '../../parts/intake.js';
import { asRecorded } from '../../parts/outward.js';
import { pastCaseRequests } from '../../past-cases.js';
import { definePlaybook } from '../../playbook.js';
import { riskLevel } from './decide.js';
import { fromText } from '../../parts/from-text.js';
import { followedUp, type FollowUp } from '../../parts/follow-up.js';
import { fanOut, lookUps, toolWaitOf } from '../../parts/look-ups.js';
import { contradicting } from '../../parts/contradicting.js';
import { mechanical } from '../../reviewers/mechanical.js';
import { byRules, singleShot } from '../../strategies/one-answer.js';
import type { Rules } from '../../strategy.js';
import { readTextRequest, TEXT_SIGNALS } from '../../text-signals/signals-found.js';
import { expectTextOrImage, hasTextOrImage } from '../../text-or-image.js';
import { patternLikeness } from '../../scam/past-messages.js';
import { contradictedByRecord } from '../../scam/contradicted-by-record.js';
import { evidenceLine } from '../../scam/evidence-line.js';
import { explainedDraft } from './explanation.js';
import { heuristic } from './heuristic.js';
import { options } from './options.js';
import { scamQuestion } from './question.js';
import { contradictions } from './text-floor.js';
import { writeReport } from './write.js';
import { presenting } from './present.js';

const HOUR_MS = 3_600_000;
/** Judges an alert without a model. */
export const rules: Rules = {
  answer: (input, _unit, settings) => explainedDraft(heuristic(input), input, settings),
};

const waitMs = toolWaitOf(options);

const pastCases: FollowUp['plan'] = ({ evidence, settings }) =>
  pastCaseRequests(options.read(settings.options).pastCases, patternLikeness(evidence.items), settings);

/**
 * Decides whether a suspicious text is part of a scam. A model weighs the findings of tools. If it cannot, a
 * heuristic decides.
 */
export const scamVerdict = definePlaybook({
  name: 'scam-verdict',
  version: '1',
  intake: {
    claims: matching('It has a text or an image to judge.', hasTextOrImage),
    // This kind judges a text, pasted or in an image.
    problems: expectTextOrImage('a text'),
    repeats: sameContent(24 * HOUR_MS),
    entrances: [],
  },
  triage: fromText((text, context) =>
    extractFromMessage(text, context, options.read(context.settings.options).phoneRegions),
  ),
  tools: ['scam_db', 'exa_search', 'domain_reputation', 'phone_validator', TEXT_SIGNALS, PAST_CASES_TOOL],
  collect: followedUp(
    { plan: pastCases, waitMs },
    lookUps({ plan: (input, tools) => [...fanOut(input, tools), ...readTextRequest(input.brief)], waitMs }),
  ),
  strategy: 'single-shot',
  strategies: {
    'single-shot': singleShot(scamQuestion, rules, options),
    heuristic: byRules('heuristic', rules),
  },
  // A thinking model takes longer than the deadline allows.
  thinking: false,
  maxRounds: 1,
  onOutage: 'fallback',
  critique: contradicting(
    contradictedByRecord(({ answer }) => answer['riskLevel'] === 'low'),
    contradicting(contradictions, mechanical(evidenceLine)),
  ),
  write: ([unit]) => writeReport(unit),
  decision: riskLevel,
  outward: asRecorded,
  presenting,
  options,
});
