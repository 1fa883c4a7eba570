import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CasefileError, type Json } from '@casefile/contracts';
import { judgedSchema, type Judged } from './judged.js';
import type { LabelledMessage } from './labelled-message.js';

/** By what a judged message is known again: its text and label, and everything that the judgement depends on. */
export function keyOf(message: LabelledMessage, settings: Json): string {
  return createHash('sha256')
    .update(JSON.stringify([message, settings]))
    .digest('hex');
}

/** Results of earlier, perhaps broken off, evaluations, one a line. A last line that was cut is left out. */
export async function readResults(path: string): Promise<Map<string, Judged>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new CasefileError('unreadable_file', `${path} cannot be read`, { cause: error });
  });
  const lines = text.split('\n').filter((line) => line !== '');
  const judged = lines.flatMap((line) => {
    const parsed = judgedSchema.safeParse(parsedOrNull(line));
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
