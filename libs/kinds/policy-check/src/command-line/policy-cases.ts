import { fileURLToPath } from 'node:url';
import { type Json, CasefileError, POLICY_IMPORT, z } from '@casefile/contracts';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EvalKnowledge } from '@casefile/kit/evaluation/eval-system';
import { isUnseen, refuseLimit, type DatasetKind, spread } from '@casefile/kit/evaluation/dataset';
import { wilson95 } from '@casefile/kit/evaluation/figures';
import { judgedCaseEvaluation, caseEvaluationLines } from './case-evaluation.js';
import { toJudgedCase, judgedCaseSchema, type JudgedCase } from './judged-case.js';
import { labelledCaseAlert, POLICY_CHECK, readLabelledCases, type LabelledCase } from './labelled-case.js';
import { oneLine } from '@casefile/kit/output/escape';
import type { Output } from '@casefile/kit/command-line/output';

/** Labelled case bundles for the kind `policy-check`. */
export const policyCases: DatasetKind<JudgedCase> = {
  playbook: POLICY_CHECK,
  items: 'cases',
  format: 'a JSON list of cases',
  sets: [
    {
      name: 'seen',
      about: 'the bundled cases, which rules were developed on',
      path: fileURLToPath(new URL('../../../../../samples/policy-cases.json', import.meta.url)),
    },
    {
      name: 'unseen',
      about: 'unseen cases with another policy: only totals are shown',
      path: fileURLToPath(new URL('../../../../../samples/eval/policy-checks/unseen.json', import.meta.url)),
    },
  ],
  options: [],
  async read(path, { limit }) {
    refuseLimit(path, { limit });
    const cases = spread(await readLabelledCases(path), limit ?? null);
    return {
      items: cases.map((labelled) => ({
        alert: labelledCaseAlert(labelled),
        label: labelled as unknown as Json,
        outcome: { status: labelled.expected.status },
        labelledResult: (key, evalCase, totalMs) => toJudgedCase(labelled, key, evalCase, totalMs),
      })),
      schema: judgedCaseSchema,
      keepsResults: !isUnseen(path),
      prepare: async (knowledge, output) => ({
        policies: await neededPolicies(cases, path, knowledge, output),
      }),
      measure(results) {
        const measured = judgedCaseEvaluation(results);
        const values = isUnseen(path) ? { ...measured, otherwise: [] } : measured;
        return { values, lines: caseEvaluationLines(values) };
      },
      scoredAnswers: ({ criteria }) =>
        criteria.map(({ expected, status, confidence }) => ({
          expected,
          answer: status,
          // Confidence in this status (met, not met or uncertain), as the answer states it.
          confidence,
          language: null,
        })),
      rates(results) {
        const { decisions, citations, status } = judgedCaseEvaluation(results);
        return {
          'cases with the labelled status': wilson95(status.cases.right, status.cases.labels),
          'decisions (MET, NOT_MET) that are right': wilson95(decisions.right.part, decisions.right.of),
          'given citations that hold': wilson95(citations.verified.part, citations.verified.of),
          'expected quotes cited, by section': wilson95(citations.sections.part, citations.sections.of),
        };
      },
    };
  },
};

const policyRefSchema = z.object({ policy: z.string().trim(), policyVersion: z.number().optional() });
/** Folder next to a data set with the policies that its cases name. */
const FOLDER = 'policies';
/** An id that can be a file name. */
const PLAIN_ID = /^[\w-]+$/;

/**
 * Ensures that every policy the cases name is in the store. A missing policy is imported from
 * `policies/<id>.<format>` next to the data set. Returns digests of the policy versions, which become part of
 * the results' keys.
 * @throws CasefileError `unknown_policy` that says how to import the policy.
 */
export async function neededPolicies(
  cases: readonly LabelledCase[],
  dataset: string,
  knowledge: EvalKnowledge,
  output: Output,
): Promise<Record<string, Json>> {
  const policyRefs = cases.map(({ payload }) => policyRefSchema.parse(payload));
  for (const policyId of new Set(policyRefs.map(({ policy }) => policy)))
    await seeTo(policyId, siblingPolicyId(policyId, dataset), knowledge, output);
  const digests = new Map<string, string>();
  for (const { policy, policyVersion } of policyRefs) {
    const key = `${policy} ${policyVersion ?? 'current'}`;
    if (!digests.has(key)) digests.set(key, await knowledgeDigest(knowledge, policy, policyVersion));
  }
  return Object.fromEntries(digests);
}

async function seeTo(
  policyId: string,
  path: string | null,
  knowledge: EvalKnowledge,
  output: Output,
): Promise<void> {
  if ((await knowledge.policyDigest(policyId)) === null) {
    if (path === null) throw unknownPolicy(policyId);
    return knowledge.importPolicy({ path, policyId });
  }
  if (path === null) return;
  // Live cases are checked against the policy in the store, so an evaluation does not change it.
  if (!(await knowledge.isMadeOf({ path, policyId })))
    output.err(
      oneLine(
        `casefile: the policy ${policyId} in the store was not imported from ${path}; to measure against that file: casefile import policy ${path}`,
      ),
    );
}

function siblingPolicyId(policyId: string, dataset: string): string | null {
  if (!PLAIN_ID.test(policyId)) return null;
  const paths = (POLICY_IMPORT.folder ?? []).map((extension) =>
    join(dirname(dataset), FOLDER, `${policyId}${extension}`),
  );
  return paths.find((path) => existsSync(path)) ?? null;
}

function unknownPolicy(policyId: string, version?: number): CasefileError {
  const which = version === undefined ? '' : ` in version ${version}`;
  return new CasefileError(
    'unknown_policy',
    `the policy ${policyId} is not in the store${which}: casefile import policy FILE --id ${policyId}`,
  );
}

async function knowledgeDigest(
  knowledge: EvalKnowledge,
  policyId: string,
  version?: number,
): Promise<string> {
  const digest = await knowledge.policyDigest(policyId, version);
  if (digest === null) throw unknownPolicy(policyId, version);
  return digest;
}
