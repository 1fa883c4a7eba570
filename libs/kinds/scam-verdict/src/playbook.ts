import { PAST_CASES_TOOL } from '@casefile/contracts';
import { extractFromMessage } from '@casefile/pipeline/entities/extract-entities';
import { matching, sameContent } from '@casefile/pipeline/parts/intake';
import { asRecorded } from '@casefile/pipeline/parts/outward';
import { definePlaybook } from '@casefile/pipeline/playbook';
import { pastCaseRequests } from '@casefile/pipeline/past-cases';
import { riskLevel } from './decide.js';
import { fromText } from '@casefile/pipeline/parts/from-text';
import { followedUp, type FollowUp } from '@casefile/pipeline/parts/follow-up';
import { fanOut, lookUps, toolWaitOf } from '@casefile/pipeline/parts/look-ups';
import { contradicting } from '@casefile/pipeline/parts/contradicting';
import { crossExamining } from '@casefile/pipeline/parts/cross-examining';
import { mechanical } from '@casefile/pipeline/reviewers/mechanical';
import { byRules, singleShot } from '@casefile/pipeline/strategies/one-answer';
import type { Rules } from '@casefile/pipeline/strategy';
import { readTextRequest, TEXT_SIGNALS } from '@casefile/pipeline/text-signals/signals-found';
import { expectTextOrImage, hasTextOrImage } from '@casefile/pipeline/text-or-image';
import { MAIL_HEADERS, readMailRequest } from '@casefile/pipeline/scam/mail-findings';
import { patternLikeness } from '@casefile/pipeline/scam/past-messages';
import { contradictedByRecord } from '@casefile/pipeline/scam/contradicted-by-record';
import { evidenceLine } from '@casefile/pipeline/scam/tool-readings';
import { crossExamination, examination } from './examine.js';
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
  version: '9',
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
  tools: [
    'scam_db',
    'exa_search',
    'domain_reputation',
    'phone_validator',
    TEXT_SIGNALS,
    MAIL_HEADERS,
    PAST_CASES_TOOL,
  ],
  collect: followedUp(
    { plan: pastCases, waitMs },
    lookUps({
      plan: (input, tools) => [
        ...fanOut(input, tools),
        ...readTextRequest(input.brief),
        ...readMailRequest(input.brief),
      ],
      waitMs,
    }),
  ),
  strategy: 'single-shot',
  strategies: {
    'single-shot': singleShot(scamQuestion, rules, options, { crossExamination }),
    heuristic: byRules('heuristic', rules),
  },
  // A thinking model takes longer than the deadline allows.
  thinking: false,
  maxRounds: 1,
  onOutage: 'fallback',
  critique: crossExamining(
    examination,
    contradicting(
      contradictedByRecord(({ answer }) => answer['riskLevel'] === 'low'),
      contradicting(contradictions, mechanical(evidenceLine)),
    ),
  ),
  write: ([unit]) => writeReport(unit),
  decision: riskLevel,
  outward: asRecorded,
  presenting,
  options,
});
