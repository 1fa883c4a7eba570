import { fileURLToPath } from 'node:url';
import type { Json } from '@casefile/contracts';
import type { DatasetKind } from '../dataset.js';
import { spread } from '../spread.js';
import { caseEvaluationOf } from './case-evaluation.js';
import { caseEvaluationLines } from './case-evaluation-lines.js';
import { judgedCaseOf, judgedCaseSchema, type JudgedCase } from './judged-case.js';
import { alertOf, POLICY_CHECK, readLabelledCases } from './labelled-case.js';
import { neededPolicies } from './needed-policies.js';

/** Labelled case bundles, for checking against policies. */
export const policyCases: DatasetKind<JudgedCase> = {
  playbook: POLICY_CHECK,
  items: 'cases',
  bundled: fileURLToPath(new URL('../../../../../samples/policy-cases.json', import.meta.url)),
  options: [],
  async read(path, { limit }) {
    const cases = spread(await readLabelledCases(path), limit ?? null);
    return {
      items: cases.map((labelled) => ({
        alert: alertOf(labelled),
        label: labelled as unknown as Json,
        judged: (key, found, totalMs) => judgedCaseOf(labelled, key, found, totalMs),
      })),
      schema: judgedCaseSchema,
      keepsResults: true,
      prepare: async ({ knowledge }, terminal) => ({
        policies: await neededPolicies(cases, path, knowledge, terminal),
      }),
      measure(judged) {
        const found = caseEvaluationOf(judged);
        return { found, lines: caseEvaluationLines(found) };
      },
    };
  },
};
