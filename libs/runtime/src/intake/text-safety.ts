import type { FieldProblem } from '@casefile/contracts';

/** Deeper nesting than this is no alert anybody wrote. */
const MAX_DEPTH = 32;
const MAX_PROBLEMS = 20;

/** Problems of characters and nesting that a schema does not see: NUL, lone surrogates, absurd depth. */
export function unsafeFields(value: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  look(value, '', 0, problems);
  return problems;
}

function look(value: unknown, path: string, depth: number, problems: FieldProblem[]): void {
  if (problems.length >= MAX_PROBLEMS) return;
  if (depth > MAX_DEPTH) {
    problems.push({ path, message: `expected at most ${MAX_DEPTH} levels of nesting` });
    return;
  }
  if (typeof value === 'string') lookAtText(value, path, problems);
  else if (Array.isArray(value))
    value.forEach((entry, i) => look(entry, `${path}[${i}]`, depth + 1, problems));
  else if (typeof value === 'object' && value !== null) lookAtObject(value, path, depth, problems);
}

function lookAtObject(value: object, path: string, depth: number, problems: FieldProblem[]): void {
  for (const [key, entry] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    lookAtText(key, at, problems);
    look(entry, at, depth + 1, problems);
  }
}

function lookAtText(text: string, path: string, problems: FieldProblem[]): void {
  const at = printable(path);
  if (text.includes('\u0000')) problems.push({ path: at, message: 'expected text without NUL characters' });
  if (!text.isWellFormed())
    problems.push({ path: at, message: 'expected well-formed Unicode, found half a surrogate pair' });
}

function printable(path: string): string {
  return path.replaceAll('\u0000', '\\0').toWellFormed();
}
