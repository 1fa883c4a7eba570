import { createHash } from 'node:crypto';
import { CasefileError, isObject, type Json, type ToolRun } from '@casefile/contracts';
import type { ToolRunnerPorts } from './tool-runner-ports.js';

/** @throws CasefileError `withheld`. */
export async function maskValue(value: Json, mask: ToolRunnerPorts['mask']): Promise<Json> {
  try {
    if (mask === undefined) throw new Error('the masking rules are not loaded');
    return (await mask(value)).value;
  } catch (cause) {
    const message = 'The result was withheld: it could not be scanned for secrets';
    throw new CasefileError('withheld', message, { cause });
  }
}

/** An error of a server may also contain secrets. */
export async function withoutSecrets(
  { reasonCode, message }: CasefileError,
  name: string,
  { tools, mask }: ToolRunnerPorts,
): Promise<Pick<CasefileError, 'reasonCode' | 'message'>> {
  if (tools.named(name)?.outside === undefined) return { reasonCode, message };
  const text = await maskValue(message, mask).catch(
    () => 'what it said of it could not be scanned for secrets',
  );
  return { reasonCode, message: String(text) };
}

/** Characters of a result, as JSON, that are sent with its call. The rest is read by page. */
const TRAVELS = 20_000;
const BEGINNING = 6_000;
const END = 1_000;

/**
 * Prepares a result for the record: a short result stays unchanged. A long one becomes its two ends, with the
 * whole kept separately as text.
 * @param keeps Bytes that are kept whole. @throws CasefileError `too_large` with size and hash if the result
 * is longer.
 */
export function shortenedTool(tool: string, result: Json, keeps: number): Pick<ToolRun, 'result' | 'whole'> {
  const json = JSON.stringify(result);
  if (json.length <= TRAVELS) return { result };
  const whole = asText(result);
  const bytes = Buffer.byteLength(whole);
  if (bytes > keeps) {
    const hash = createHash('sha256').update(whole).digest('hex');
    const message = `The result of ${tool} was not kept: ${bytes} bytes with the SHA-256 ${hash}, more than ${keeps}`;
    throw new CasefileError('too_large', message);
  }
  return { result: { beginning: whole.slice(0, BEGINNING), end: whole.slice(-END) }, whole };
}

// Text keeps its lines, so that it can be paged and searched.
function asText(result: Json): string {
  if (isObject(result) && typeof result['text'] === 'string' && Object.keys(result).length === 1)
    return result['text'];
  return JSON.stringify(result, null, 1);
}
