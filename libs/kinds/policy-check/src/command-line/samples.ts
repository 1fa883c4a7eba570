import { fileURLToPath } from 'node:url';
import type { KindSamples } from '@casefile/kit/command-line/kind-samples';
import { labelledCaseAlert, readLabelledCases } from './labelled-case.js';

/** Labelled cases that serve as samples: one is met, one is not met, one cannot be decided. */
const SHOWN_CASES: readonly string[] = ['pc-01', 'pc-02', 'pc-04'];

/** Case bundles, with the policies for them. */
export async function policyCaseSamples(folder: URL): Promise<KindSamples> {
  const all = await readLabelledCases(fileURLToPath(new URL('policy-cases.json', folder)));
  const cases = all.filter(({ id }) => SHOWN_CASES.includes(id));
  const policyIds = [...new Set(cases.map(({ payload }) => String(payload['policy'])))];
  const policies = policyIds.map((policyId) => ({
    policyId,
    path: fileURLToPath(new URL(`policies/${policyId}.md`, folder)),
  }));
  return { alerts: cases.map(labelledCaseAlert), lookedUp: { policies } };
}
