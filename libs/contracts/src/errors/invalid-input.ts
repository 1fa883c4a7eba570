import type { z } from 'zod';
import { CasefileError } from './casefile-error.js';

/** One wrong field: where it is (`alerts[3].image.base64`) and what was expected there. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** Input that a person or system outside has to mend; lists every wrong field at once. */
export class InvalidInput extends CasefileError {
  constructor(
    readonly problems: FieldProblem[],
    what = 'input',
  ) {
    const list = problems.map((p) => `${p.path || '(whole)'}: ${p.message}`).join('; ');
    super('invalid_input', `The ${what} is not valid: ${list}`, { details: { problems } });
  }
}

/** Field problems of a failed zod parse, with paths in the form `a.b[0].c`. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({ path: pathText(issue.path), message: issue.message }));
}

/**
 * Parses `value` by `schema`.
 * @throws InvalidInput that names every wrong field.
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, what?: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidInput(fieldProblems(parsed.error), what);
}

function pathText(path: PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}
