import { PAST_CASES_TOOL, STORM_TOOL } from '@casefile/contracts';
import { contradicting } from '@casefile/pipeline/parts/contradicting';
import { crossExamining } from '@casefile/pipeline/parts/cross-examining';
import { followedUp } from '@casefile/pipeline/parts/follow-up';
import { fromPayload } from '@casefile/pipeline/parts/from-payload';
import { sameContent, sameTrouble } from '@casefile/pipeline/parts/intake';
import { lookUps, toolWaitOf, type LookUpPlan } from '@casefile/pipeline/parts/look-ups';
import { listingOutsideTools } from '@casefile/pipeline/parts/outside-tools';
import { asRecorded } from '@casefile/pipeline/parts/outward';
import { definePlaybook } from '@casefile/pipeline/playbook';
import { pastCaseRequests } from '@casefile/pipeline/past-cases';
import { byRules } from '@casefile/pipeline/strategies/one-answer';
import { react } from '@casefile/pipeline/strategies/react/index';
import { alertProblems, occurrence, prepareIncident } from './alert.js';
import { alertClaim } from './claim.js';
import { contradictions } from './contradictions.js';
import { pageTicketOrNothing } from './decide.js';
import { examination } from './examine.js';
import { expressionLookUps } from './expression.js';
import { controller, STORED_RESULT } from './model/controller.js';
import { options } from './options.js';
import { timelineLookUps } from './timeline-look-ups.js';
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

const firstLookUps: LookUpPlan = ({ brief, settings }) => {
  const alert = incidentIn(brief);
  const { pastCases } = options.read(settings.options);
  // A storm is judged for all of its alerts.
  const storm = settings.storm?.role === 'lead' ? [{ tool: STORM_TOOL, args: {} }] : [];
  return [runbookRequest(alert), ...storm, ...pastCaseRequests(pastCases, alertLikeness(alert), settings)];
};

/**
 * Playbook for alerts of monitoring systems: what is wrong, with which confidence, and whether to page a
 * person. A model works through the runbook and the tools in turns.
 */
export const incident = definePlaybook({
  name: 'incident',
  version: '7',
  intake: {
    claims: alertClaim,
    problems: alertProblems,
    repeats: sameTrouble(occurrence, 6, sameContent(24 * HOUR_MS)),
    entrances: [...PRESETS, 'cloudevents'].map((format) => ({ format })),
  },
  triage: fromPayload(prepareIncident),
  tools: [RUNBOOK_TOOL, STORED_RESULT, STORM_TOOL, PAST_CASES_TOOL],
  // Look-ups of the alert's expression and of a runbook may be to tools of data sources and outside servers.
  collect: followedUp(
    {
      plan: (input) => [...expressionLookUps(input), ...timelineLookUps(input), ...lookUpsAskedFor(input)],
      waitMs,
    },
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
