import { readFile, stat } from 'node:fs/promises';
import {
  asCasefileError,
  builtModule,
  CasefileError,
  isWorkerError,
  type BoundedRunner,
  type BoundedTask,
  type PolicyFormat,
  type TaskContext,
} from '@casefile/contracts';
import { unreadable } from '../files.js';
import { refuseLarge } from './documents/document-limits.js';
import { documentFileSourceDigest, type ParsedDocument } from './documents/parse-document.js';
import type { ParseArgs } from './documents/parse-task.js';
import type { PolicyBase, PolicyImport } from './policy-base.js';

/**
 * Parses a document in the task runner: parsers need many times the bytes of a document, by an unpredictable
 * factor.
 */
const PARSE_DOCUMENT: BoundedTask<ParseArgs, ParsedDocument> = {
  what: 'The document',
  advice: 'Divide it into several documents, or save it as plain text.',
  limits: { memoryMb: 250, timeMs: 60_000 },
  module: builtModule('./documents/parse-task.js', import.meta.url),
  load: () => import('./documents/parse-task.js'),
};

/** A file to import as a policy. */
export interface PolicyFile {
  path: string;
  policyId: string;
  /** Content of the file. Default: read from `path`. */
  bytes?: () => Promise<Uint8Array>;
}

/** Detects the language (BCP 47) of a text, with a certainty of 0..1. */
export type DetectLanguage = (text: string) => Promise<{ code: string; certainty: number }>;

export interface PolicyImportOptions {
  /** BCP 47. Default: as stated in the document, else detected from its words. */
  language?: string;
  /** Default: by the file's name. */
  format?: PolicyFormat;
  title?: string;
  /** Sections whose words never leave the record, by title, number or id; `all`. */
  confidential?: string[];
}

/** Result of one file. */
export type ImportedPolicy = { path: string; policyId: string } & (
  ({ sections: number; language: string } & Omit<PolicyImport, 'policyId'>) | { error: CasefileError }
);

/** Characters used to detect the language. */
const LOOKED_AT = 2_000;
/** Certainty below which the language counts as unknown; words are then matched literally. */
const SURE = 0.5;

/**
 * Imports one file completely or not at all. A file that made the current version is not parsed again, so
 * that an interrupted import of a folder is quickly resumed. Problems of a file are its outcome; problems of
 * the store are thrown.
 * @param context Progress counts pages while a file is parsed; the signal ends parsing.
 */
export async function importPolicyFile(
  base: Pick<PolicyBase, 'importPolicy' | 'policyOfSource'>,
  { detectLanguage, runner }: { detectLanguage: DetectLanguage; runner: BoundedRunner },
  { path, policyId, bytes = () => readFileBytes(path) }: PolicyFile,
  options: PolicyImportOptions = {},
  context: Partial<TaskContext> = {},
): Promise<ImportedPolicy> {
  try {
    const file = { name: path, bytes: await bytes() };
    refuseLarge(file.bytes.length);
    const currentVersion = await base.policyOfSource(policyId, documentFileSourceDigest(file, options));
    if (currentVersion !== null && isUnchanged(currentVersion, options)) {
      const { version, sections, language } = currentVersion;
      return { path, policyId, version, sections, language, outcome: 'unchanged' };
    }
    const { format, confidential } = options;
    const args = { name: path, format, confidential };
    const parsed = await runner.run(PARSE_DOCUMENT, file.bytes, args, context);
    const language =
      options.language ?? parsed.language ?? (await parsedDocumentLanguage(parsed, detectLanguage));
    const title = options.title ?? parsed.title;
    const done = await base.importPolicy({ ...parsed, policyId, language, title });
    return {
      path,
      policyId,
      version: done.version,
      sections: parsed.sections.length,
      language,
      outcome: done.outcome,
    };
  } catch (thrown) {
    const error = asCasefileError(thrown);
    // Rethrown, because these errors would affect the next file too.
    if (isWorkerError(error) || error.reasonCode === 'store_error' || error.reasonCode === 'unexpected')
      throw thrown;
    return { path, policyId, error };
  }
}

/**
 * Returns whether the current version of the policy was made from exactly this file. @throws CasefileError
 * `unreadable_file`.
 */
export async function isMadeOf(
  base: Pick<PolicyBase, 'policyOfSource'>,
  { path, policyId }: PolicyFile,
): Promise<boolean> {
  const digest = documentFileSourceDigest({ name: path, bytes: await readFileBytes(path) });
  return (await base.policyOfSource(policyId, digest)) !== null;
}

function isUnchanged(
  current: { language: string; title: string },
  { language, title }: PolicyImportOptions,
): boolean {
  return (language ?? current.language) === current.language && (title ?? current.title) === current.title;
}

// The size is checked before the file is read.
async function readFileBytes(path: string): Promise<Uint8Array> {
  try {
    refuseLarge((await stat(path)).size);
    return await readFile(path);
  } catch (error) {
    throw error instanceof CasefileError ? error : unreadable(path, error);
  }
}

// A sample from the middle, because a document begins with names and numbers.
async function parsedDocumentLanguage(
  { sections }: ParsedDocument,
  detectLanguage: DetectLanguage,
): Promise<string> {
  const texts = sections.map(({ text }) => text).filter((text) => text.length > 40);
  const middle =
    texts.slice(Math.floor(texts.length / 3)).join('\n') || sections.map(({ text }) => text).join('\n');
  const { code, certainty } = await detectLanguage(middle.slice(0, LOOKED_AT));
  return certainty >= SURE ? code : 'und';
}
