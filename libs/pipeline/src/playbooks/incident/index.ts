import { PAST_CASES_TOOL } from '@casefile/contracts';
import { contradicting } from '../../parts/contradicting.js';
import { crossExamining } from '../../parts/cross-examining.js';
import { followedUp } from '../../parts/follow-up.js';
import { fromPayload } from '../../parts/from-payload.js';
import { sameContent, sameTrouble } from '../../parts/intake.js';
import { lookUps, toolWaitOf, type Plan } from '../../parts/look-ups.js';
import { listingOutsideTools } from '../../parts/outside-tools.js';
import { asRecorded } from '../../parts/outward.js';
import { pastCaseRequests } from '../../past-cases.js';
import { definePlaybook } from '../../playbook.js';
import { byRules } from '../../strategies/one-answer.js';
import { react } from '../../strategies/react/index.js';
import { alertProblems, occurrence, prepareIncident } from './alert.js';
import { alertClaim } from './claim.js';
import { contradictions } from './contradictions.js';
import { pageTicketOrNothing } from './decide.js';
import { examination } from './examine.js';
import { controller, STORED_RESULT } from './model/controller.js';
import { options } from './options.js';
import { presenting } from './present.js';
import { critiqueAnalysis } from './review.js';
import { byRule } from './rules/judge-by-rules.js';
import { alertLikeness } from './past-cases.js';
import { incidentIn, lookUpsAskedFor, RUNBOOK_TOOL, runbookRequest } from './runbook.js';
import { PRESETS } from './sent/sender-shape.js';
import { writeReport } from './write.js';

const rules = { answer: byRule };
const HOUR_MS = 3_600_000;
const waitMs = toolWaitOf(options);

const firstLookUps: Plan = ({ brief, settings }) => {
  const alert = incidentIn(brief);
  const { pastCases } = options.read(settings.options);
  return [runbookRequest(alert), ...pastCaseRequests(pastCases, alertLikeness(alert), settings)];
};

/**
 * Playbook for alerts of monitoring systems: what is wrong, with which confidence, and whether to page a
 * person. A model works through the runbook and the tools in turns.
 */
export const incident = definePlaybook({
  name: 'incident',
  version: '1',
  intake: {
    claims: alertClaim,
    problems: alertProblems,
    repeats: sameTrouble(occurrence, 6, sameContent(24 * HOUR_MS)),
    entrances: [...PRESETS, 'cloudevents'].map((format) => ({ format })),
  },
  triage: fromPayload(prepareIncident),
  tools: [RUNBOOK_TOOL, STORED_RESULT, PAST_CASES_TOOL],
  // The look-ups of a runbook may be to tools of outside servers.
  collect: followedUp(
    { plan: lookUpsAskedFor, waitMs },
    listingOutsideTools(lookUps({ plan: firstLookUps, waitMs })),
  ),
  strategy: 'react',
  strategies: { react: react(controller, rules, options), heuristic: byRules('heuristic', rules) },
  thinking: 'as-provider',
  maxRounds: 1,
  onOutage: 'fallback',
  critique: crossExamining(examination, contradicting(contradictions, critiqueAnalysis)),
  write: ([unit], { run }) => writeReport(unit, run.settings),
  decision: pageTicketOrNothing,
  outward: asRecorded,
  presenting,
  options,
});
