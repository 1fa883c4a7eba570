import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CasefileError, type Json, type z } from '@casefile/contracts';
import type { ItemResult } from '@casefile/kit/evaluation/dataset';

/**
 * Returns the key that identifies a judged item: a digest of its label and everything the judgement depends
 * on.
 */
export function itemKey(label: Json, basis: Json): string {
  return createHash('sha256')
    .update(JSON.stringify([label, basis]))
    .digest('hex');
}

/**
 * Returns the results of earlier evaluations, one per line. Results of another kind, and a truncated last
 * line, are left out.
 */
export async function readResults<J extends ItemResult>(
  path: string,
  schema: z.ZodType<J>,
): Promise<Map<string, J>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new CasefileError('unreadable_file', `${path} cannot be read`, { cause: error });
  });
  const lines = text.split('\n').filter((line) => line !== '');
  const results = lines.flatMap((line) => {
    const parsed = schema.safeParse(parsedOrNull(line));
    return parsed.success ? [parsed.data] : [];
  });
  return new Map(results.map((one) => [one.key, one]));
}

/**
 * Appends one result as a line. Each result is written immediately, so that no item has to be judged twice.
 */
export async function addResult(path: string, result: ItemResult): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // The leading line break ends a line that was truncated.
  await appendFile(path, `\n${JSON.stringify(result)}\n`);
}

function parsedOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
