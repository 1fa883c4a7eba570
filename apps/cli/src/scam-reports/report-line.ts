import { fieldProblems, z, type FieldProblem, type ScamReportInput } from '@casefile/contracts';

const count = z.coerce
  .number({ error: 'expected a number' })
  .int('expected a whole number')
  .min(0)
  .max(1_000_000_000);
const score = z.coerce
  .number({ error: 'expected a number' })
  .min(0, 'expected 0 to 100')
  .max(100, 'expected 0 to 100');
const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: 'expected a date (2026-01-31) or a time with its zone (2026-01-31T10:00:00Z)',
});
const line = z.strictObject({
  entityType: z.string().trim().min(1).max(64),
  entityValue: z.string().trim().min(1).max(2048),
  reportCount: count,
  riskScore: score,
  firstReportedAt: time.optional(),
  lastReportedAt: time.optional(),
  source: z.string().trim().min(1).max(200),
});

const PHONE = /^\+[1-9]\d{5,14}$/;
const NO_PHONE: FieldProblem = {
  path: 'entityValue',
  message: 'expected a phone number with its country code and no blanks (+14155550123)',
};

/** Types whose values are the same whatever case they are written in. */
const CASELESS = ['email', 'domain'];

/**
 * One report from a line of an import. Keys may be in camelCase or snake_case; empty ones count as left out; `defaults`
 * stand for what is left out.
 */
export function readReport(
  raw: Record<string, unknown>,
  defaults: { source: string },
): { report: ScamReportInput } | { problems: FieldProblem[] } {
  const filled = Object.entries(raw).flatMap(([key, value]) =>
    isEmpty(value) ? [] : [[camelCase(key), value] as const],
  );
  const given = { ...defaults, ...Object.fromEntries(filled) };
  const parsed = line.safeParse(given);
  const problems = parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(issue));
  if (isWrongPhone(given)) problems.push(NO_PHONE);
  if (!parsed.success || problems.length > 0) return { problems };
  const { entityType, entityValue } = parsed.data;
  const value = CASELESS.includes(entityType) ? entityValue.toLowerCase() : entityValue;
  return { report: { ...parsed.data, entityValue: value } };
}

// Looked at by itself, so that it is named beside what else is wrong in the line.
function isWrongPhone({ entityType, entityValue }: Record<string, unknown>): boolean {
  return entityType === 'phone' && typeof entityValue === 'string' && !PHONE.test(entityValue.trim());
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((path) => ({ path, message: 'is no field of a report' }));
  return fieldProblems(new z.ZodError([issue]));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function camelCase(key: string): string {
  return key.trim().replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
