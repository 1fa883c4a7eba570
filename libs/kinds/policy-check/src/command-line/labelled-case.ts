import {
  CRITERION_STATUSES,
  fieldProblems,
  InvalidInput,
  jsonObjectSchema,
  z,
  type FieldProblem,
  type JsonObject,
} from '@casefile/contracts';
import { policyCheck } from '../playbook.js';
import { readJsonFile } from '@casefile/kit/files/read-input-file';

export const POLICY_CHECK = 'policy-check';

const status = z.enum(CRITERION_STATUSES);
const expectedSchema = z.object({
  status,
  criteria: z.array(
    z.object({
      id: z.string(),
      status,
      /** Quotes of sections, by their headings, that support the expected status. */
      citations: z.array(z.object({ section: z.string().min(1), quote: z.string().min(1) })),
      /** Names of facts that support the expected status. */
      facts: z.array(z.string()),
    }),
  ),
});
const caseSchema = z
  .looseObject({ id: z.string().min(1).max(200), policy: z.string().min(1), expected: jsonObjectSchema })
  .transform(({ id, expected, ...payload }) => ({ id, expected, payload: payload as JsonObject }));

export type ExpectedCase = z.infer<typeof expectedSchema>;
export type ExpectedCriterion = ExpectedCase['criteria'][number];

/** A case bundle with its expected result. */
export interface LabelledCase {
  id: string;
  /** The bundle as it is submitted, without the expected result. */
  payload: JsonObject;
  expected: ExpectedCase;
}

/** Returns a labelled case as an alert, without the expected result. */
export function labelledCaseAlert({ id, payload }: Pick<LabelledCase, 'id' | 'payload'>) {
  return { playbook: POLICY_CHECK, payload, labels: { kind: id } };
}

/**
 * Reads a JSON file with a list of case bundles, each with `id` and `expected`.
 * @throws InvalidInput that names every wrong field; CasefileError `unreadable_file`.
 */
export async function readLabelledCases(path: string): Promise<LabelledCase[]> {
  const entries = z
    .array(z.unknown())
    .min(1)
    .safeParse(await readJsonFile(path));
  if (!entries.success)
    throw new InvalidInput([{ path: '', message: 'expected a list of at least one case' }], 'dataset');
  const read = entries.data.map((entry, i) => readCase(entry, `[${i}]`));
  const cases = read.flatMap((one) => (Array.isArray(one) ? [] : [one]));
  const problems = [...read.flatMap((one) => (Array.isArray(one) ? one : [])), ...repeatedCases(cases)];
  if (problems.length > 0) throw new InvalidInput(problems, 'dataset');
  return cases;
}

function readCase(entry: unknown, place: string): LabelledCase | FieldProblem[] {
  const under = (problems: FieldProblem[], part: string) =>
    problems.map(({ path, message }) => ({
      path: [place, part, path].filter((name) => name !== '').join('.'),
      message,
    }));
  const parsed = caseSchema.safeParse(entry);
  if (!parsed.success) return under(fieldProblems(parsed.error), '');
  const { id, payload } = parsed.data;
  const expected = expectedSchema.safeParse(parsed.data.expected);
  const problems = [
    ...under(policyCheck.intake.problems(labelledCaseAlert({ id, payload })).map(ofBundle), ''),
    ...(expected.success ? [] : under(fieldProblems(expected.error), 'expected')),
    ...(expected.success ? under(unmatchedPayload(payload, expected.data), 'expected.criteria') : []),
  ];
  return problems.length > 0 || !expected.success ? problems : { id, payload, expected: expected.data };
}

// In the file, the bundle is at the top level and not in `payload`, so the prefix is removed from the path.
function ofBundle({ path, message }: FieldProblem): FieldProblem {
  return { path: path.replace(/^payload\.?/, ''), message };
}

function unmatchedPayload(payload: JsonObject, expected: ExpectedCase): FieldProblem[] {
  const criteria = z.array(z.object({ id: z.string() })).safeParse(payload['criteria']).data ?? [];
  const labelled = expected.criteria.map(({ id }) => id);
  return [
    ...criteria
      .filter(({ id }) => !labelled.includes(id))
      .map(({ id }) => ({ path: '', message: `there is no expected result for the criterion ${id}` })),
    ...labelled
      .filter((id, i) => !criteria.some((one) => one.id === id) || labelled.indexOf(id) < i)
      .map((id) => ({ path: '', message: `${id} is not a criterion of the case, or is listed twice` })),
  ];
}

function repeatedCases(cases: readonly LabelledCase[]): FieldProblem[] {
  const ids = cases.map(({ id }) => id);
  return ids.flatMap((id, i) =>
    ids.indexOf(id) < i ? [{ path: `[${i}].id`, message: `${id} is the id of another case as well` }] : [],
  );
}
