import { isObject, type Alert, type GivenEvidence, type JsonObject } from '@casefile/contracts';
import { comparing } from '@casefile/pipeline/claims/comparing';
import { clarifying } from '@casefile/pipeline/parts/clarifying';
import { contradicting } from '@casefile/pipeline/parts/contradicting';
import { crossExamining } from '@casefile/pipeline/parts/cross-examining';
import { fromPayload, type PreparedPayload } from '@casefile/pipeline/parts/from-payload';
import { asking, matching, neverRepeated } from '@casefile/pipeline/parts/intake';
import { lookUps } from '@casefile/pipeline/parts/look-ups';
import { asRecorded } from '@casefile/pipeline/parts/outward';
import { definePlaybook } from '@casefile/pipeline/playbook';
import { reusing } from '@casefile/pipeline/parts/reusing';
import { sifting } from '@casefile/pipeline/parts/sifting';
import { byRules } from '@casefile/pipeline/strategies/one-answer';
import { inRounds } from './analyse.js';
import { researchEndpoint } from './asked.js';
import { clarification } from './clarify.js';
import { readSettingsFile } from './settings-file.js';
import { searchWaitMs } from './deadline.js';
import { contradictions } from './contradictions.js';
import { itemsOrReview } from './decide.js';
import { examination } from './examine.js';
import { options } from './options.js';
import { presenting } from './present.js';
import { readRequest, requestProblems } from './read-input.js';
import { critiqueDraft } from './review.js';
import { extractByRules } from './rules/extract.js';
import { sameAnswer } from './same-answer.js';
import { READ_PAGE, readingPages, SEARCH } from './read-pages.js';
import { HANDED_IN, searches, sift } from './sift.js';
import { asksToVerify } from './trigger.js';
import { typedClaims } from './typed-claims.js';
import { writeReport } from './write.js';

const rules = { answer: extractByRules };
/** Upper limit above every configuration. The option of the kind sets the real number of rounds. */
const MOST_ROUNDS = 10;

/**
 * Playbook that checks a claim. An analyst, a critic and a writer work on sources of known tiers, and every
 * sentence is checked against stored originals.
 */
export const research = reusing(
  sameAnswer,
  definePlaybook({
    name: 'research',
    version: '9',
    intake: {
      claims: asking(
        asksToVerify,
        matching(
          'Its payload has a query.',
          ({ payload }) => isObject(payload) && typeof payload['query'] === 'string',
        ),
      ),
      problems: requestProblems,
      repeats: neverRepeated,
      entrances: [{ address: researchEndpoint }],
    },
    triage: clarifying(clarification, fromPayload(prepared)),
    tools: [SEARCH, READ_PAGE],
    collect: sifting(sift, readingPages(lookUps({ plan: searches, waitMs: searchWaitMs }))),
    strategy: 'rounds',
    strategies: { rounds: inRounds(rules), heuristic: byRules('heuristic', rules) },
    thinking: 'as-provider',
    maxRounds: MOST_ROUNDS,
    onOutage: 'fallback',
    critique: crossExamining(
      examination,
      contradicting(contradictions, comparing(typedClaims, critiqueDraft)),
    ),
    write: ([unit], ports) => writeReport(unit, ports),
    decision: itemsOrReview,
    outward: asRecorded,
    presenting,
    options: { ...options, readFile: readSettingsFile },
  }),
);

function prepared(alert: Alert): PreparedPayload {
  const { request, items } = readRequest(alert);
  const suppliedEvidence: GivenEvidence[] = items.map((item) => ({
    toolName: HANDED_IN,
    entityType: 'page',
    entityValue: item.url,
    result: item as unknown as JsonObject,
    success: true,
    source: item.site,
    durationMs: 0,
  }));
  return { text: request.query, input: request as unknown as JsonObject, units: [], suppliedEvidence };
}
