import { MAX_IMAGE_BYTES, textProblem, type AlertImage, type FieldProblem } from '@casefile/contracts';
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
  const wrong = textProblem(text);
  if (wrong !== null) problem(at, path, wrong);
}

function problem(at: Looking, path: string, message: string): void {
  at.problems.push({ path: path.replaceAll('\u0000', '\\0').toWellFormed().slice(0, 500), message });
}

/** Base64 takes four characters for three bytes; line breaks (one in 76 by RFC 2045) and a margin come on top. */
const MAX_BASE64_CHARACTERS = Math.ceil((MAX_IMAGE_BYTES / 3) * 4 * 1.1);

const MAGIC: Record<AlertImage['mediaType'], (bytes: Buffer) => boolean> = {
  'image/png': (b) => b.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  'image/jpeg': (b) => b.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  'image/webp': (b) =>
    b.subarray(0, 4).toString('latin1') === 'RIFF' && b.subarray(8, 12).toString('latin1') === 'WEBP',
};

/**
 * Is it base64, of a fair size, and what it says it is? Linear in its length. Whether it can be read shows in triage.
 */
export function imageProblems(image: AlertImage): FieldProblem[] {
  const path = 'image.base64';
  if (image.base64.length > MAX_BASE64_CHARACTERS)
    return [{ path, message: `expected at most ${MAX_IMAGE_BYTES} bytes` }];
  const base64 = image.base64.replace(/\s/g, '');
  // Searches for a wrong character: a repeat over millions of characters overflows the stack of the pattern engine.
  if (base64 === '' || /[^A-Za-z0-9+/]/.test(base64.replace(/={1,2}$/, '')))
    return [{ path, message: 'expected base64' }];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) return [{ path, message: `expected at most ${MAX_IMAGE_BYTES} bytes` }];
  if (!MAGIC[image.mediaType](bytes))
    return [{ path, message: `expected the bytes of an ${image.mediaType}` }];
  return [];
}
