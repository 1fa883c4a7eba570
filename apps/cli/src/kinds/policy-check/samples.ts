import { fileURLToPath } from 'node:url';
import type { KindSamples } from '../kind-samples.js';
import { alertOf, readLabelledCases } from './labelled-case.js';

/** Of the labelled cases these are samples: one that is met, one that is not, one that nobody can settle. */
const SHOWN_CASES: readonly string[] = ['pc-01', 'pc-02', 'pc-04'];

/** Case bundles, with the policies that they are checked against. */
export async function policyCaseSamples(folder: URL): Promise<KindSamples> {
  const all = await readLabelledCases(fileURLToPath(new URL('policy-cases.json', folder)));
  const cases = all.filter(({ id }) => SHOWN_CASES.includes(id));
  const policyIds = [...new Set(cases.map(({ payload }) => String(payload['policy'])))];
  const policies = policyIds.map((policyId) => ({
    policyId,
    path: fileURLToPath(new URL(`policies/${policyId}.md`, folder)),
  }));
  return { alerts: cases.map(alertOf), lookedUp: { policies } };
}
