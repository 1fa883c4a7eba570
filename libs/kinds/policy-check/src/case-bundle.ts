import {
  CasefileError,
  citableFacts,
  factSchema,
  fieldProblems,
  InvalidInput,
  UNIT_NAME,
  z,
  type Brief,
  type CitableFact,
  type FieldProblem,
  type JsonObject,
} from '@casefile/contracts';

const MOST_FACTS = 1_000;
const MOST_CRITERIA = 50;
const policyId = z.string().trim().min(1).max(100);

const criterionSchema = z.object({
  /** Also the name of the unit that checks the criterion. */
  id: z.string().min(1).regex(UNIT_NAME, 'expected 1 to 64 letters, digits, "_" and "-"'),
  text: z.string().trim().min(1, 'expected the question').max(2_000),
});
export type Criterion = z.infer<typeof criterionSchema>;

export const combineSchema = z.discriminatedUnion('rule', [
  z.object({ rule: z.literal('all') }),
  z.object({ rule: z.literal('any') }),
  z.object({ rule: z.literal('n-of-m'), n: z.number().int().min(1) }),
]);

const share = z.number().min(0).max(1);
/**
 * Schema for new alerts. It is stricter than that of the stages: a run from before may contain another form
 * of `box`.
 */
const givenFact = factSchema.extend({ box: z.tuple([share, share, share, share]).optional() });

/** Input of a check: facts read from documents, the criteria, the policy. */
const bundleSchema = z.looseObject({
  title: z.string().trim().max(300).optional(),
  policy: policyId,
  /** Default: the version that is current when the case is opened. */
  policyVersion: z.number().int().min(1).max(2_147_483_647).optional(),
  facts: z.array(givenFact).max(MOST_FACTS),
  criteria: z.array(criterionSchema).min(1).max(MOST_CRITERIA),
  combine: combineSchema.default({ rule: 'all' }),
});
export type CaseBundle = z.infer<typeof bundleSchema>;

/** Part of a bundle that the stages after triage read from the brief. */
const checkedSchema = z.object({
  policy: z.object({ policyId, version: z.number().int().min(1), title: z.string(), language: z.string() }),
  title: z.string().nullable(),
  facts: z.array(factSchema.extend({ id: z.string() })),
  criteria: z.array(criterionSchema).min(1),
  combine: combineSchema,
});
export type CheckedBundle = z.infer<typeof checkedSchema>;

/** Returns whether a payload looks like a bundle, even if its fields are wrong. */
export function looksLikeBundle(payload: JsonObject | undefined): boolean {
  return payload !== undefined && 'policy' in payload && 'criteria' in payload;
}

/** Returns all problems of a payload, by path. */
export function bundleProblems(payload: JsonObject | undefined): FieldProblem[] {
  if (payload === undefined)
    return [{ path: 'payload', message: 'expected a case bundle: policy, facts, criteria' }];
  const read = bundleSchema.safeParse(payload);
  const problems = read.success ? odd(read.data) : fieldProblems(read.error);
  return problems.map(({ path, message }) => ({
    path: path === '' ? 'payload' : `payload.${path}`,
    message,
  }));
}

/** @throws InvalidInput that names every wrong field. */
export function readBundle(payload: JsonObject | undefined): CaseBundle {
  const problems = bundleProblems(payload);
  if (problems.length > 0) throw new InvalidInput(problems, 'case bundle');
  return bundleSchema.parse(payload);
}

/** Returns the bundle for the brief, with one version of its policy. */
export function checkedBundle(bundle: CaseBundle, policy: CheckedBundle['policy']): CheckedBundle {
  const { title = null, facts, criteria, combine } = bundle;
  return { policy, title, facts: citableFacts(facts), criteria, combine };
}

/** Returns the bundle of a brief. @throws CasefileError `bad_brief`. */
export function bundleOf({ input }: Pick<Brief, 'input'>): CheckedBundle & { facts: CitableFact[] } {
  const read = checkedSchema.safeParse(input);
  if (read.success) return read.data;
  throw new CasefileError('bad_brief', `the brief has no case bundle: ${read.error.message}`);
}

/** Returns the criterion that a unit checks. @throws CasefileError `bad_brief`. */
export function bundleCriterion(bundle: CheckedBundle, unit: string): Criterion {
  const found = bundle.criteria.find(({ id }) => id === unit);
  if (found !== undefined) return found;
  throw new CasefileError('bad_brief', `the case bundle has no criterion "${unit}"`);
}

function odd({ criteria, facts, combine }: CaseBundle): FieldProblem[] {
  // Includes ids generated for facts without one, so that a citation never refers to two facts.
  const ids = citableFacts(facts).map(({ id }) => id);
  const n = combine.rule === 'n-of-m' && combine.n > criteria.length;
  return [
    ...repeats(criteria.map(({ id }) => id)).map((i) => ({
      path: `criteria[${i}].id`,
      message: 'expected an id that no other criterion has',
    })),
    ...repeats(ids).map((i) => ({
      path: `facts[${i}].id`,
      message: `expected an id that no other fact has; "${ids[i]}" is that of facts[${ids.indexOf(ids[i]!)}]`,
    })),
    ...(n
      ? [{ path: 'combine.n', message: `expected at most ${criteria.length}, the number of criteria` }]
      : []),
  ];
}

function repeats(ids: readonly string[]): number[] {
  return ids.flatMap((id, i) => (ids.indexOf(id) < i ? [i] : []));
}
