import type { FieldProblem } from '@casefile/contracts';
import { MAX_DEPTH, type BodyBounds } from './body-bounds.js';

const MAX_PROBLEMS = 20;

type AlertBounds = Pick<BodyBounds, 'maxAlertValues' | 'maxObjectKeys' | 'maxAlertBytes'>;

interface Looking {
  problems: FieldProblem[];
  values: number;
  characters: number;
  bounds: AlertBounds;
}

/**
 * Problems of an alert that a schema does not see: NUL, lone surrogates, absurd depth, too many values or keys, more
 * text than an alert has besides its image. Ends as soon as a bound is passed, whatever is left.
 */
export function unsafeFields(value: unknown, bounds: AlertBounds): FieldProblem[] {
  const looking: Looking = { problems: [], values: 0, characters: 0, bounds };
  look(value, '', 0, looking);
  return looking.problems;
}

function look(value: unknown, path: string, depth: number, at: Looking): void {
  if (at.problems.length >= MAX_PROBLEMS || isPast(at)) return;
  at.values += 1;
  if (at.values > at.bounds.maxAlertValues)
    return problem(at, '', `expected at most ${at.bounds.maxAlertValues} values (intake.maxAlertValues)`);
  if (depth > MAX_DEPTH) return problem(at, path, `expected at most ${MAX_DEPTH} levels of nesting`);
  if (typeof value === 'string') lookAtText(value, path, at);
  else if (Array.isArray(value)) value.forEach((entry, i) => look(entry, `${path}[${i}]`, depth + 1, at));
  else if (typeof value === 'object' && value !== null) lookAtObject(value, path, depth, at);
}

function isPast({ values, characters, bounds }: Looking): boolean {
  return values > bounds.maxAlertValues || characters > bounds.maxAlertBytes;
}

function lookAtObject(value: object, path: string, depth: number, at: Looking): void {
  const entries = Object.entries(value);
  if (entries.length > at.bounds.maxObjectKeys)
    return problem(at, path, `expected at most ${at.bounds.maxObjectKeys} keys (intake.maxObjectKeys)`);
  for (const [key, entry] of entries) {
    const inside = path === '' ? key : `${path}.${key}`;
    lookAtText(key, inside, at);
    look(entry, inside, depth + 1, at);
  }
}

function lookAtText(text: string, path: string, at: Looking): void {
  // An image has a bound of its own.
  if (path !== 'image.base64') at.characters += text.length;
  if (at.characters > at.bounds.maxAlertBytes)
    return problem(
      at,
      path,
      `expected at most ${at.bounds.maxAlertBytes} bytes besides the image (intake.maxAlertBytes)`,
    );
  if (text.includes('\u0000')) problem(at, path, 'expected text without NUL characters');
  if (!text.isWellFormed()) problem(at, path, 'expected well-formed Unicode, found half a surrogate pair');
}

function problem(at: Looking, path: string, message: string): void {
  at.problems.push({ path: path.replaceAll('\u0000', '\\0').toWellFormed().slice(0, 500), message });
}
