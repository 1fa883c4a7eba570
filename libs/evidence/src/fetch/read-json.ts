import { CasefileError, parseBounded, type Json } from '@casefile/contracts';
import type { Response } from 'undici';

/** Maximum nesting of an answer. Expected answers have at most a dozen levels. */
const MAX_DEPTH = 64;

/**
 * Reads a body as JSON, counting decoded bytes as they arrive.
 * @throws CasefileError `too_large`, `bad_answer`; errors of the connection.
 */
export async function readJson(response: Response, host: string, maxBytes: number): Promise<Json> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    await response.body?.cancel();
    throw badAnswer(host, `the content type ${JSON.stringify(type.slice(0, 100))} in place of JSON`);
  }
  const text = (await readBytes(response, host, maxBytes)).toString('utf8');
  if (isTooDeep(text)) throw badAnswer(host, 'JSON that nests too deep');
  try {
    return parseBounded(text, `The answer of ${host}`);
  } catch (error) {
    if (error instanceof CasefileError) throw error;
    throw badAnswer(host, 'something that is not JSON', error);
  }
}

/**
 * Reads a body, counting decoded bytes as they arrive.
 * @throws CasefileError `too_large`; errors of the connection.
 */
export async function readBytes(response: Response, host: string, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body, which closes the connection.
    if (size > maxBytes) throw tooLarge(host, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns whether JSON nests too deep. Checked before parsing, because code that reads the value may recurse. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (inString && char === '\\') i += 1;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === '{' || char === '[') && (depth += 1) > MAX_DEPTH) return true;
    else if (!inString && (char === '}' || char === ']')) depth -= 1;
  }
  return false;
}

function tooLarge(host: string, maxBytes: number): CasefileError {
  return new CasefileError('too_large', `${host} answered with more than ${maxBytes} bytes`, {
    details: { host },
  });
}

export function badAnswer(host: string, what: string, cause?: unknown): CasefileError {
  return new CasefileError('bad_answer', `${host} answered with ${what}`, { details: { host }, cause });
}
