import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CasefileError, type Json, type z } from '@casefile/contracts';
import type { Judged } from './dataset.js';

/** By what a judged item is known again: its label, and everything that the judgement depends on. */
export function keyOf(label: Json, basis: Json): string {
  return createHash('sha256')
    .update(JSON.stringify([label, basis]))
    .digest('hex');
}

/**
 * Results of earlier, perhaps broken off, evaluations, one a line. Results of another kind, and a last line that was cut,
 * are left out.
 */
export async function readResults<J extends Judged>(
  path: string,
  schema: z.ZodType<J>,
): Promise<Map<string, J>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new CasefileError('unreadable_file', `${path} cannot be read`, { cause: error });
  });
  const lines = text.split('\n').filter((line) => line !== '');
  const judged = lines.flatMap((line) => {
    const parsed = schema.safeParse(parsedOrNull(line));
    return parsed.success ? [parsed.data] : [];
  });
  return new Map(judged.map((one) => [one.key, one]));
}

/** Adds to the results, each line by itself: whatever was judged is not judged again. */
export async function addResult(path: string, judged: Judged): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // A line break first ends a line that was cut.
  await appendFile(path, `\n${JSON.stringify(judged)}\n`);
}

function parsedOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
