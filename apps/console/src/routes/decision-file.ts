import {
  CasefileError,
  decisionFileSchema,
  z,
  type CaseDocument,
  type KeptPrompt,
  type PromptSets,
} from '@casefile/contracts';
import { signDecision } from '@casefile/runtime';
import { route } from '../http/route.js';
import { readCase } from './cases.js';

/** Returns the texts of the prompts that the runs of a case used, each once. */
async function usedPrompts(
  { runs }: CaseDocument,
  sets: Pick<PromptSets, 'get'>,
): Promise<readonly KeptPrompt[]> {
  const calls = runs.flatMap(({ interactions }) => interactions);
  const promptsById = new Map<string, KeptPrompt>();
  for (const setId of new Set(calls.map(({ draw }) => draw.prompts))) {
    if (setId === undefined) continue;
    const used = new Set(calls.filter(({ draw }) => draw.prompts === setId).map((call) => call.promptId));
    for (const prompt of (await sets.get(setId))?.prompts ?? [])
      if (used.has(prompt.id)) promptsById.set(prompt.id, prompt);
  }
  return [...promptsById.values()];
}

/** The record of a case as a signed file. */
export const decisionFileRoutes = [
  route({
    method: 'get',
    path: '/cases/{caseId}/decision-file',
    operationId: 'getDecisionFile',
    right: 'reviewer',
    tag: 'cases',
    summary: 'Everything on the record of a case as a signed file, for `casefile verify`',
    input: { params: z.object({ caseId: z.string().max(100) }) },
    problems: [404, 409],
    answer: '{ records, signature }: each part of the record with its hash, signed with Ed25519',
    response: decisionFileSchema,
    handler: async ({ store, signingKey, meta, now }, { params: { caseId } }) => {
      if (signingKey === null)
        throw new CasefileError(
          'not_configured',
          'decision files are signed, and CASEFILE_SIGNING_KEY is not set',
        );
      const document = await readCase(store.record, caseId);
      const review = await store.reviews.get(caseId, now());
      const prompts = await usedPrompts(document, store.prompts);
      const source = { document, review, prompts, version: meta().version };
      return signDecision(source, signingKey, new Date(now()).toISOString());
    },
  }),
];
