import {
  asCasefileError,
  builtModule,
  CasefileError,
  InvalidInput,
  parseInput,
  scamPatternSchema,
  z,
  type CaseDocument,
  type CaseReader,
  type ScamPattern,
  SCAM_PATTERNS_IMPORT,
} from '@casefile/contracts';
import { ImportFile, importTask, onlyFile } from '../import-file.js';
import type { Importer, ImportPorts } from '../importer.js';
import type { PatternImport } from './scam-pattern-base.js';

const optionsSchema = z.object({
  case: z.string().optional(),
  scamType: z.string().optional(),
  title: z.string().optional(),
  embedAgain: z.boolean().optional(),
});
type PatternImportOptions = z.infer<typeof optionsSchema>;

const READ_PATTERNS = importTask<{ source: string }, number, ScamPattern[]>({
  module: builtModule('./read-patterns-task.js', import.meta.url),
  load: () => import('./read-patterns-task.js'),
});

/** `casefile import scam-patterns FILE`, or a confirmed verdict: `--case ID --scam-type NAME`. */
export const scamPatternImporter: Importer = {
  name: SCAM_PATTERNS_IMPORT.name,
  prepare(source, input) {
    const options = parseInput(optionsSchema, input, 'command');
    const file = source.files.length === 0 ? null : onlyFile(source, 'expected one file of scam patterns');
    return async (ports) => {
      const { knowledge, cases, signal } = ports;
      const imported =
        file === null
          ? await knowledge.scamPatterns.importPatterns([[await confirmedCases(cases, options)]])
          : await ImportFile.readPaged(
              [file],
              {
                runner: knowledge.runner,
                task: READ_PATTERNS,
                args: () => ({ source: file.name }),
                context: { signal },
              },
              (_total, pages) => knowledge.scamPatterns.importPatterns(pages),
            );
      return embedPatterns(imported, ports, options.embedAgain ?? false);
    };
  },
};

async function confirmedCases(
  cases: Pick<CaseReader, 'getCase'>,
  { case: caseId, scamType, title }: PatternImportOptions,
): Promise<ScamPattern> {
  if (caseId === undefined || scamType === undefined) {
    const path = caseId === undefined ? 'file' : '--scam-type';
    throw new InvalidInput(
      [{ path, message: 'expected a file, or a case with its --scam-type' }],
      'command line',
    );
  }
  const caseDocument = await cases.getCase(caseId);
  if (caseDocument === null) throw new CasefileError('unknown_case', `no case has the id ${caseId}`);
  return patternOfCase(caseDocument, { scamType, title });
}

/** The patterns stay imported even if computing vectors fails: missing vectors are computed later. */
async function embedPatterns(
  counts: PatternImport,
  { knowledge, embeddingModel, news }: ImportPorts,
  embedAgain: boolean,
): Promise<boolean> {
  if (embedAgain) await knowledge.scamPatterns.dropVectors(embeddingModel);
  // The amount of work is known only when it begins.
  let progress: ReturnType<typeof news.progress> | null = null;
  let embedded = 0;
  let failure: CasefileError | null = null;
  try {
    embedded = await knowledge.embedPatterns((done, total) => {
      progress ??= news.progress('embedding', total);
      progress.to((embedded = done));
    });
  } catch (thrown) {
    failure = asCasefileError(thrown);
  } finally {
    (progress as ReturnType<typeof news.progress> | null)?.end();
  }
  const { inserted, replaced, unchanged, revision } = counts;
  const failed = failure === null ? {} : { embeddingFailure: failure.reasonCode };
  news.result(
    `${inserted} new, ${replaced} replaced, ${unchanged} unchanged; revision ${revision}; ${embedded} texts embedded`,
    { ...counts, embedded, ...failed },
  );
  if (failure === null) return true;
  news.note(
    `casefile: the patterns are in, but not all have their vectors (${failure.reasonCode}: ${failure.message}); the rest is made at the next import or look-up`,
  );
  return false;
}

const TITLE_LENGTH = 80;
const TEXT_LENGTH = 4_000;

const outcomeSchema = z.object({
  scamDetected: z.literal(true),
  category: z.string(),
  language: z.string(),
  redFlags: z.array(z.string()),
});

/** Details that a reviewer adds when confirming a verdict. */
export interface Confirmation {
  scamType: string;
  title?: string | undefined;
}

/**
 * Converts a confirmed message-screening verdict to a pattern with its message, category and red flags.
 * @throws InvalidInput if the case has no such verdict, or its message cannot be a pattern.
 */
export function patternOfCase(caseDocument: CaseDocument, { scamType, title }: Confirmation): ScamPattern {
  const run = caseDocument.runs.findLast(({ verdict }) => verdict !== null && !verdict.degraded);
  const outcome = outcomeSchema.safeParse(run?.verdict?.outcome);
  const text = caseDocument.alerts.at(-1)?.text?.trim() ?? '';
  if (!outcome.success || text === '')
    throw new InvalidInput(
      [{ path: caseDocument.id, message: 'has no verdict that its message is a scam' }],
      'case',
    );
  const { category, language, redFlags } = outcome.data;
  const pattern = {
    id: `case-${caseDocument.id}`,
    title: title ?? text.replace(/\s+/g, ' ').slice(0, TITLE_LENGTH),
    texts: { [language]: text.slice(0, TEXT_LENGTH) },
    category,
    scamType,
    redFlags: redFlags.slice(0, 50).map((flag) => flag.slice(0, 300)),
    source: `verdict of run ${run?.id}`,
    version: 1,
  };
  return parseInput(scamPatternSchema, pattern, 'scam pattern');
}
