import { PAST_CASES_TOOL } from '@casefile/contracts';
import { extractFromMessage } from '@casefile/pipeline/entities/extract-entities';
import { addRoute } from './route-message.js';
import { withoutDisguises } from '@casefile/pipeline/language/without-disguises';
import { pastCaseRequests } from '@casefile/pipeline/past-cases';
import { definePlaybook } from '@casefile/pipeline/playbook';
import { engageProbeIgnore } from './decide.js';
import { outwardVerdict, sessionEffects } from './session-effects.js';
import { fromText } from '@casefile/pipeline/parts/from-text';
import { matching, neverRepeated } from '@casefile/pipeline/parts/intake';
import { followedUp, type FollowUp } from '@casefile/pipeline/parts/follow-up';
import { lookUps, toolWaitOf } from '@casefile/pipeline/parts/look-ups';
import { contradicting } from '@casefile/pipeline/parts/contradicting';
import { crossExamining } from '@casefile/pipeline/parts/cross-examining';
import { mechanical } from '@casefile/pipeline/reviewers/mechanical';
import { byRules, groundedQuestions } from '@casefile/pipeline/strategies/one-answer';
import { expectTextOrImage, hasTextOrImage } from '@casefile/pipeline/text-or-image';
import { patternLikeness } from '@casefile/pipeline/scam/past-messages';
import { contradictedByRecord } from '@casefile/pipeline/scam/contradicted-by-record';
import { evidenceLine } from '@casefile/pipeline/scam/tool-readings';
import { normalQuestion, strictQuestion } from './question.js';
import { requests, SIMILAR } from './look-up.js';
import { options } from './options.js';
import { writeReport } from './write.js';
import { contradictions } from './contradictions.js';
import { afterFailure, judgeByRules } from './judge-by-rules.js';
import { crossExamination, examination } from './examine.js';
import { explainedDraft } from './explanation.js';
import type { Rules } from '@casefile/pipeline/strategy';
import { MAIL_HEADERS } from '@casefile/pipeline/scam/mail-findings';
import { TEXT_SIGNALS } from '@casefile/pipeline/text-signals/signals-found';
import { presenting } from './present.js';

/** Judges a message without a model. */
export const rules: Rules = {
  answer: (input, _unit, settings) => explainedDraft(judgeByRules(input), input, settings),
  afterFailure: (input, unit, settings) =>
    explainedDraft(afterFailure(input, unit, settings), input, settings),
};

const waitMs = toolWaitOf(options);
/** Look-ups in the own database and text. Without one of them, no model is asked. */
const RESTS_ON = ['scam_db', TEXT_SIGNALS, SIMILAR];

const pastCases: FollowUp['plan'] = ({ evidence, settings }) =>
  pastCaseRequests(options.read(settings.options).pastCases, patternLikeness(evidence.items), settings);

/**
 * Decides whether a platform engages the sender of a message, probes, or ignores the message. In many
 * languages.
 */
export const messageScreening = definePlaybook({
  name: 'message-screening',
  version: '11',
  intake: {
    claims: matching('It has a text or an image to judge.', hasTextOrImage),
    problems: expectTextOrImage('a message'),
    // The same text sent to two people is two messages, and each gets a verdict.
    repeats: neverRepeated,
    entrances: [],
  },
  triage: addRoute(
    fromText(async (text, context) => {
      const { phoneRegions } = options.read(context.settings.options);
      const { entities, notes } = await extractFromMessage(text, context, phoneRegions);
      return { entities, notes: [...notes, ...withoutDisguises(text).notes] };
    }),
  ),
  // The same look-ups as in scam-verdict, and known patterns as a look-up of their own.
  tools: [
    'scam_db',
    'exa_search',
    'domain_reputation',
    'phone_validator',
    TEXT_SIGNALS,
    MAIL_HEADERS,
    SIMILAR,
    PAST_CASES_TOOL,
  ],
  collect: followedUp({ plan: pastCases, waitMs }, lookUps({ plan: requests, waitMs })),
  strategy: 'grounded',
  strategies: {
    grounded: groundedQuestions(
      { normal: normalQuestion, strict: strictQuestion },
      rules,
      options,
      RESTS_ON,
      {
        crossExamination,
      },
    ),
    rules: byRules('rules', rules),
    heuristic: byRules('heuristic', rules),
  },
  thinking: 'as-provider',
  maxRounds: 1,
  onOutage: 'fallback',
  critique: crossExamining(
    examination,
    contradicting(
      contradictedByRecord(({ answer }) => answer['isScam'] === false),
      contradicting(contradictions, mechanical(evidenceLine)),
    ),
  ),
  write: ([unit]) => writeReport(unit),
  decision: engageProbeIgnore,
  outward: (verdict) => ({
    effects: sessionEffects(verdict),
    verdict: (opened) => outwardVerdict(verdict, opened),
  }),
  presenting,
  options,
});
