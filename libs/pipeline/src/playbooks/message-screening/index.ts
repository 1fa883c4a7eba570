import { PAST_CASES_TOOL } from '@casefile/contracts';
import { extractFromMessage } from '../../entities/extract-from-message.js';
import { addRoute } from './route-message.js';
import { withoutDisguises } from '../../language/without-disguises.js';
import { pastCaseRequests } from '../../past-cases.js';
import { definePlaybook } from '../../playbook.js';
import { engageProbeIgnore } from './decide.js';
import { outwardVerdict, sessionEffects } from './session-effects.js';
import { fromText } from '../../parts/from-text.js';
import { matching, neverRepeated } from '../../parts/intake.js';
import { followedUp, type FollowUp } from '../../parts/follow-up.js';
import { lookUps, toolWaitOf } from '../../parts/look-ups.js';
import { contradicting } from '../../parts/contradicting.js';
import { mechanical } from '../../reviewers/mechanical.js';
import { byRules, groundedQuestions } from '../../strategies/one-answer.js';
import { expectTextOrImage, hasTextOrImage } from '../../text-or-image.js';
import { patternLikeness } from '../../scam/past-messages.js';
import { contradictedByRecord } from '../../scam/contradicted-by-record.js';
import { evidenceLine } from '../../scam/evidence-line.js';
import { normalQuestion, strictQuestion } from './question.js';
import { requests, SIMILAR } from './look-up.js';
import { options } from './options.js';
import { writeReport } from './write.js';
import { contradictions } from './contradictions.js';
import { afterFailure, judgeByRules } from './judge-by-rules.js';
import { explainedDraft } from './explanation.js';
import type { Rules } from '../../strategy.js';
import { TEXT_SIGNALS } from '../../text-signals/signals-found.js';
import { presenting } from './present.js';

/** Judges a message without a model. */
export const rules: Rules = {
  answer: (input) => explainedDraft(judgeByRules(input), input),
  afterFailure: (input, unit, settings) => explainedDraft(afterFailure(input, unit, settings), input),
};

const waitMs = toolWaitOf(options);

const pastCases: FollowUp['plan'] = ({ evidence, settings }) =>
  pastCaseRequests(options.read(settings.options).pastCases, patternLikeness(evidence.items), settings);

/**
 * Decides whether a platform engages the sender of a message, probes, or ignores the message. In many
 * languages.
 */
export const messageScreening = definePlaybook({
  name: 'message-screening',
  version: '1',
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
  tools: ['scam_db', TEXT_SIGNALS, SIMILAR, PAST_CASES_TOOL],
  collect: followedUp({ plan: pastCases, waitMs }, lookUps({ plan: requests, waitMs })),
  strategy: 'grounded',
  strategies: {
    grounded: groundedQuestions({ normal: normalQuestion, strict: strictQuestion }, rules, options),
    rules: byRules('rules', rules),
    heuristic: byRules('heuristic', rules),
  },
  thinking: 'as-provider',
  maxRounds: 1,
  onOutage: 'fallback',
  critique: contradicting(
    contradictedByRecord(({ answer }) => answer['isScam'] === false),
    contradicting(contradictions, mechanical(evidenceLine)),
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
