import type { JsonObject } from '@casefile/contracts';
import { defineController } from '../../react/controller.js';
import { bundleOf, criterionOf } from './case-bundle.js';
import { finishParameters, finishSchema } from './finish-answer.js';
import { observe } from './observe.js';
import { openingOf } from './prompt.js';
import { settle } from './settle.js';

/** How a model checks a criterion by turns. */
export const controller = defineController({
  id: 'policy-check/react@1',
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
  bind(tool, { brief }): JsonObject {
    const { policy, facts } = bundleOf(brief);
    if (tool === 'facts_get') return { facts: facts as unknown as JsonObject[] };
    return { policyId: policy.policyId, version: policy.version };
  },
  observe,
  settle,
});
