import { createHash } from 'node:crypto';
import { InvalidInput, parseInput, z, type Embedder } from '@casefile/contracts';
import type { ScamPatternBase } from './scam-pattern-base.js';

/** Scale of a component between -1 and 1 as a 16-bit integer: a similarity changes by less than 0.0001. */
const SCALE = 32_767;
/** More texts than any shipped set of vectors. */
const MOST_TEXTS = 10_000;

/** A file of vectors: by the SHA-256 of their text, little-endian 16-bit components in Base64. */
const fileSchema = z.strictObject({
  model: z.string().min(1),
  vectors: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.base64()),
});

/** A file of vectors of these texts, for `saveKnownVectors`. */
export function writeKnownVectors(
  model: string,
  entries: readonly { text: string; vector: number[] }[],
): string {
  const vectors = Object.fromEntries(
    entries.map(({ text, vector }) => [textDigest(text), encodedVector(vector)]),
  );
  return `${JSON.stringify({ model, vectors }, null, 2)}\n`;
}

/**
 * Saves vectors shipped with a set of patterns, for texts without vectors, if the embedder uses the same
 * model. @returns the number of saved vectors. @throws InvalidInput for an invalid file.
 */
export async function saveKnownVectors(
  store: Pick<ScamPatternBase, 'textsToEmbed' | 'saveVectors'>,
  { model, languages }: Pick<Embedder, 'model' | 'languages'>,
  file: { name: string; text: string },
): Promise<number> {
  const contents = parseInput(fileSchema, parsedText(file.text, file.name), file.name);
  if (contents.model !== model) return 0;
  const { texts } = await store.textsToEmbed(model, languages, MOST_TEXTS);
  const matches = texts.flatMap((text) => {
    const vector = contents.vectors[textDigest(text.text)];
    return vector === undefined ? [] : [{ ...text, vector: decodedText(vector) }];
  });
  return store.saveVectors(model, matches);
}

function parsedText(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput([{ path: '', message: 'expected JSON' }], name);
  }
}

function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function encodedVector(vector: number[]): string {
  const bytes = Buffer.alloc(vector.length * 2);
  vector.forEach((component, i) => bytes.writeInt16LE(Math.round(component * SCALE), i * 2));
  return bytes.toString('base64');
}

function decodedText(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(i * 2) / SCALE);
}
