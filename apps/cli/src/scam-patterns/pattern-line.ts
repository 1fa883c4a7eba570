import {
  fieldProblems,
  scamPatternSchema,
  z,
  type FieldProblem,
  type ScamPattern,
} from '@casefile/contracts';

const TEXT_COLUMN = /^text_([a-zA-Z-]+)$/;
const lineSchema = scamPatternSchema.strict();

/**
 * One pattern from an entry of an import. In CSV each language has a column (`text_en`, `text_hi-Latn`) and red flags
 * stand in one, with `;` between them. Keys may be in snake_case; empty ones count as left out; without a version it is
 * the first.
 */
export function readPattern(
  raw: Record<string, unknown>,
  defaults: { source: string },
): { pattern: ScamPattern } | { problems: FieldProblem[] } {
  const filled = Object.entries(raw).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  const columns = filled.flatMap(([key, value]) => {
    const language = TEXT_COLUMN.exec(key.trim())?.[1];
    return language === undefined ? [] : [[language, value] as const];
  });
  const rest = filled.filter(([key]) => !TEXT_COLUMN.test(key.trim()));
  const given: Record<string, unknown> = {
    ...{ ...defaults, version: 1, redFlags: [] },
    ...Object.fromEntries(rest.map(([key, value]) => [camelCase(key), value])),
    ...(columns.length === 0 ? {} : { texts: Object.fromEntries(columns) }),
  };
  const parsed = lineSchema.safeParse({
    ...given,
    redFlags: listOf(given['redFlags']),
    version: wholeNumber(given['version']),
  });
  return parsed.success ? { pattern: parsed.data } : { problems: parsed.error.issues.flatMap(problemsOf) };
}

function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .split(';')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '');
}

// Cells of CSV are text.
function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((path) => ({ path, message: 'is no field of a pattern' }));
  return fieldProblems(new z.ZodError([issue]));
}

function camelCase(key: string): string {
  return key.trim().replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
