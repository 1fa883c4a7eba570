import { factNames, factsNamed, type CitableFact, type JsonObject } from '@casefile/contracts';
import { defineController } from '../../react/controller.js';
import { bundleOf, criterionOf } from './case-bundle.js';
import { finishParameters, finishSchema } from './finish-answer.js';
import { observe } from './observe.js';
import { openingOf, PROMPT_ID } from './prompt.js';
import { settle } from './settle.js';

/** Names that a look-up in vain is told. */
const NAMES_TOLD = 100;

/** How a model checks a criterion by turns. */
export const controller = defineController({
  id: PROMPT_ID,
  tools: ['pi_search', 'facts_get', 'spans_tighten'],
  finish: {
    name: 'finish',
    description: 'Ends the check.',
    parameters: finishParameters,
    schema: finishSchema,
  },
  open({ brief }, unit, mark) {
    const bundle = bundleOf(brief);
    return openingOf(bundle, criterionOf(bundle, unit), mark);
  },
  // A run keeps to the version of the policy that it began with, and to the facts of its own case.
  bind(tool, { brief }, _unit, { name }): JsonObject {
    const { policy, facts } = bundleOf(brief);
    if (tool === 'facts_get') return factsFor(String(name), facts);
    return { policyId: policy.policyId, version: policy.version };
  },
  observe,
  settle,
});

// Those alone that go by the name: every call is on the record with what it was given, and a case may have megabytes.
function factsFor(asked: string, facts: readonly CitableFact[]): JsonObject {
  const named = factsNamed(facts, asked);
  const known = named.length > 0 ? [] : factNames(facts).slice(0, NAMES_TOLD);
  return { facts: named as unknown as JsonObject[], known };
}
