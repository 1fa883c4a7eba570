import {
  asCasefileError,
  builtModule,
  type BoundedRunner,
  type CallContext,
  type CasefileError,
  type PolicyFormat,
} from '@casefile/contracts';
import { ImportFile, importTask, isAboutAllFiles } from '../import-file.js';
import { fileOnDisk } from '../import-source.js';
import { refuseLarge } from './documents/document-limits.js';
import { parserDigestPart, type ParsedDocument } from './documents/parse-document.js';
import type { ParseArgs } from './documents/parse-task.js';
import type { PolicyBase, PolicyImport } from './policy-base.js';

/**
 * Parses a document in the task runner: parsers need many times the bytes of a document, by an unpredictable
 * factor.
 */
export const PARSE_DOCUMENT = importTask<ParseArgs, ParsedDocument>({
  what: 'The document',
  advice: 'Divide it into several documents, or save it as plain text.',
  limits: { memoryMb: 250, timeMs: 60_000 },
  module: builtModule('./documents/parse-task.js', import.meta.url),
  load: () => import('./documents/parse-task.js'),
});

/** A file to import as a policy. */
export interface PolicyFile {
  path: string;
  policyId: string;
  /** Default: the file at `path`. */
  file?: ImportFile;
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
  { path, policyId, file = new ImportFile(fileOnDisk(path)) }: PolicyFile,
  options: PolicyImportOptions = {},
  context: Partial<CallContext> = {},
): Promise<ImportedPolicy> {
  try {
    const digest = await sourceDigest(path, file, options);
    const currentVersion = await base.policyOfSource(policyId, digest);
    if (currentVersion !== null && isUnchanged(currentVersion, options)) {
      const { version, sections, language } = currentVersion;
      return { path, policyId, version, sections, language, outcome: 'unchanged' };
    }
    const { format, confidential } = options;
    const args = { name: path, format, confidential };
    const parsed = await file.read(runner, PARSE_DOCUMENT, args, context);
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
    if (isAboutAllFiles(error)) throw thrown;
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
  const digest = await sourceDigest(path, new ImportFile(fileOnDisk(path)));
  return (await base.policyOfSource(policyId, digest)) !== null;
}

function isUnchanged(
  current: { language: string; title: string },
  { language, title }: PolicyImportOptions,
): boolean {
  return (language ?? current.language) === current.language && (title ?? current.title) === current.title;
}

// The size is checked before the file is read.
async function sourceDigest(path: string, file: ImportFile, options: PolicyImportOptions = {}) {
  refuseLarge(await file.size());
  return file.digest(parserDigestPart(path, options));
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
