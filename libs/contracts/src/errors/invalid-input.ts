import type { z } from 'zod';
import { CasefileError } from './casefile-error.js';

/** One invalid field: its path (`alerts[3].image.base64`) and what was expected. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** Input that its sender must fix. Lists all invalid fields. */
export class InvalidInput extends CasefileError {
  constructor(
    readonly problems: FieldProblem[],
    readonly what = 'input',
  ) {
    const list = problems.map((p) => `${p.path || '(whole)'}: ${p.message}`).join('; ');
    super('invalid_input', `The ${what} is not valid: ${list}`, { details: { problems } });
  }
}

/** Returns the field problems of a failed zod parse, with paths such as `a.b[0].c`. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({ path: pathText(issue.path), message: issue.message }));
}

/** Parses `value` with `schema`. @throws InvalidInput that names every invalid field. */
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
