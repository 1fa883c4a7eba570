import {
  silentLogger,
  type BoundedRunner,
  type CallContext,
  type Embedder,
  type Json,
  type Lessons,
  type Logger,
  type PastCases,
  type PatternSearch,
} from '@casefile/contracts';
import type { Database } from '@casefile/store';
import { DOCUMENT_EXTENSIONS } from './policies/documents/parse-document.js';
import {
  importPolicyFile,
  isMadeOf,
  type DetectLanguage,
  type ImportedPolicy,
  type PolicyFile,
  type PolicyImportOptions,
} from './policies/import-policy-file.js';
import { postgresLessons } from './lessons/postgres-lessons.js';
import { postgresPastCases } from './past-cases/postgres-past-cases.js';
import type { PolicyBase } from './policies/policy-base.js';
import { postgresPolicies } from './policies/postgres-policies.js';
import {
  createRunbooks,
  NO_RUNBOOK_SETTINGS,
  type RunbookFinder,
  type RunbookPorts,
} from './runbooks/find-runbook.js';
import { inPages } from './pages.js';
import { readRunbook, type RunbookFile } from './runbooks/read-runbook.js';
import { postgresRunbooks, withoutSecrets, type RunbookBase } from './runbooks/runbook-base.js';
import { embedPatterns } from './scam-patterns/embed-patterns.js';
import { saveKnownVectors } from './scam-patterns/known-vectors.js';
import { createPatternSearch, listedPatterns } from './scam-patterns/pattern-search.js';
import { postgresPatterns } from './scam-patterns/postgres-patterns.js';
import { parseScamPatterns, seedPatterns } from './scam-patterns/read-scam-patterns.js';
import { NO_PATTERNS, type EmptyBase } from './scam-patterns/starting-set.js';
import type { ScamPatternBase } from './scam-patterns/scam-pattern-base.js';
import { parseScamReports } from './scam-reports/read-scam-reports.js';
import { postgresScamReports, type ScamReportBase } from './scam-reports/scam-report-base.js';

/** Dependencies of the knowledge bases. */
export interface KnowledgePorts {
  embedder: Embedder;
  detectLanguage: DetectLanguage;
  /** Parses imported files. */
  runner: BoundedRunner;
  /** Rules for runbooks. Default: runbooks are found only by their own front matter and names. */
  runbooks?: RunbookPorts;
  /** Removes secrets from runbooks. @throws if a value cannot be scanned. */
  mask(value: Json): Promise<{ value: Json }>;
}

/** A file's text, and the name used to report its lines. */
export interface TextFile {
  name: string;
  text: string;
}

/** Initial content of a new installation; parts left out are not changed. */
export interface Seed {
  scamReports?: TextFile;
  scamPatterns?: TextFile;
  /**
   * Vectors of the patterns by one model, as written by `writeKnownVectors`, so that they need not be
   * computed.
   */
  scamPatternVectors?: TextFile;
  policies?: readonly PolicyFile[];
  runbooks?: readonly RunbookFile[];
}

/** All knowledge bases. */
export interface Knowledge {
  /** Parses imported files. */
  runner: BoundedRunner;
  policies: PolicyBase;
  scamPatterns: ScamPatternBase;
  scamReports: ScamReportBase;
  /** Lessons of people's answers, which add reports and patterns. */
  lessons: Lessons;
  /** Cases with the outcome that a person confirmed. */
  pastCases: PastCases;
  runbookBase: RunbookBase;
  /** Search over the runbooks. */
  runbooks: RunbookFinder;
  /** Search over the scam patterns. */
  patternSearch: PatternSearch;
  /** Number of scam patterns; each change of them raises the revision. */
  patternState(): Promise<{ revision: number; patterns: number }>;
  /** File name extensions of documents that can be imported as policies. */
  documentExtensions: readonly string[];
  /** As `importPolicyFile`. */
  importPolicyFile(
    file: PolicyFile,
    options?: PolicyImportOptions,
    context?: Partial<CallContext>,
  ): Promise<ImportedPolicy>;
  /** Returns whether the current version of the policy was made from exactly this file. */
  isMadeOf(file: PolicyFile): Promise<boolean>;
  /**
   * Computes the missing vectors of scam patterns for the embedder's model and saves each batch. After an
   * interruption it continues with the missing ones.
   * @returns the number of computed vectors. @throws CasefileError of the embedder.
   */
  embedPatterns(onProgress?: (done: number, total: number) => void): Promise<number>;
  /** Returns the empty bases among those with initial content. */
  emptyBases(): Promise<EmptyBase[]>;
  /**
   * Imports the initial content of a new installation. @throws CasefileError of the first part that fails.
   */
  seed(seed: Seed): Promise<void>;
}

/** Returns the search over the patterns of a file. @throws InvalidInput that names every wrong line and field. */
export async function patternSearchIn({ name, text }: TextFile, embedder: Embedder): Promise<PatternSearch> {
  return createPatternSearch({ store: listedPatterns(await parseScamPatterns(text, name)), embedder });
}

/** Origin of the runbooks in the initial content. */
const SEEDED = 'samples';

/** Returns the knowledge bases in Postgres, over the connections of the store. */
export function openKnowledge(
  database: Database,
  { embedder, detectLanguage, runner, runbooks = NO_RUNBOOK_SETTINGS, mask }: KnowledgePorts,
  log: Logger = silentLogger,
): Knowledge {
  const policies = postgresPolicies(database);
  const scamPatterns = postgresPatterns(database, log);
  const scamReports = postgresScamReports(database);
  const runbookBase = withoutSecrets(postgresRunbooks(database), mask);
  const importFile: Knowledge['importPolicyFile'] = (file, options, context) =>
    importPolicyFile(policies, { detectLanguage, runner }, file, options, context);
  return {
    runner,
    policies,
    scamPatterns,
    scamReports,
    lessons: postgresLessons(database, scamPatterns),
    pastCases: postgresPastCases(database, mask),
    runbookBase,
    runbooks: createRunbooks(runbookBase, { ...runbooks, runner }, log),
    patternSearch: createPatternSearch({ store: scamPatterns, embedder }),
    patternState: () => scamPatterns.patternState(),
    emptyBases: async () => ((await scamPatterns.patternState()).patterns === 0 ? [NO_PATTERNS] : []),
    documentExtensions: DOCUMENT_EXTENSIONS,
    importPolicyFile: importFile,
    isMadeOf: (file) => isMadeOf(policies, file),
    embedPatterns: (onProgress) => {
      const { signal } = new AbortController();
      return embedPatterns({ store: scamPatterns, embedder, signal, onProgress });
    },
    seed: async (seed) => {
      const {
        scamReports: reports,
        scamPatterns: patterns,
        scamPatternVectors: vectors,
        policies: files = [],
        runbooks: runbookFiles,
      } = seed;
      if (patterns !== undefined)
        await seedPatterns(scamPatterns, await parseScamPatterns(patterns.text, patterns.name));
      if (vectors !== undefined) await saveKnownVectors(scamPatterns, embedder, vectors);
      if (reports !== undefined)
        await scamReports.importAll(inPages(await parseScamReports(reports.text, reports.name)));
      if (runbookFiles !== undefined)
        await runbookBase.importRunbooks(SEEDED, inPages(runbookFiles.map(readRunbook)));
      for (const file of files) {
        const imported = await importFile(file);
        if ('error' in imported) throw imported.error;
      }
    },
  };
}
