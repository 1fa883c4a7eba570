import {
  silentLogger,
  type BoundedRunner,
  type Embedder,
  type Json,
  type Logger,
  type PatternSearch,
  type TaskContext,
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
import type { PolicyBase } from './policies/policy-base.js';
import { postgresPolicies } from './policies/postgres-policies.js';
import {
  createRunbooks,
  NO_RUNBOOK_SETTINGS,
  type RunbookFinder,
  type RunbookPorts,
} from './runbooks/find-runbook.js';
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

/** What the knowledge bases ask of the rest of the system. */
export interface KnowledgePorts {
  embedder: Embedder;
  detectLanguage: DetectLanguage;
  /** Parses what is imported. */
  runner: BoundedRunner;
  /** Absent: runbooks are found by what they say themselves. */
  runbooks?: RunbookPorts;
  /** Takes secrets out of runbooks, which people write for people. @throws what cannot be looked through. */
  mask(value: Json): Promise<{ value: Json }>;
}

/** A file's text, and the name by which its lines are told. */
export interface TextFile {
  name: string;
  text: string;
}

/** What a new installation begins with; what is left out is not touched. */
export interface Seed {
  scamReports?: TextFile;
  scamPatterns?: TextFile;
  /** Vectors of the patterns by one model, as `writeKnownVectors` writes them: what has none need not wait for its own. */
  scamPatternVectors?: TextFile;
  policies?: readonly PolicyFile[];
  runbooks?: readonly RunbookFile[];
}

/** Every knowledge base. */
export interface Knowledge {
  policies: PolicyBase;
  scamPatterns: ScamPatternBase;
  scamReports: ScamReportBase;
  runbookBase: RunbookBase;
  /** Over the runbooks. */
  runbooks: RunbookFinder;
  /** Over the scam patterns. */
  patternSearch: PatternSearch;
  /** How many scam patterns there are; each change of them raises the revision. */
  patternState(): Promise<{ revision: number; patterns: number }>;
  /** File names of documents that can be imported as policies end in one of these. */
  documentExtensions: readonly string[];
  /** As `importPolicyFile`. */
  importPolicyFile(
    file: PolicyFile,
    options?: PolicyImportOptions,
    context?: Partial<TaskContext>,
  ): Promise<ImportedPolicy>;
  /** Was the current version of the policy made of exactly this file? */
  isMadeOf(file: PolicyFile): Promise<boolean>;
  /**
   * Makes the vectors that scam patterns lack for the embedder's model, and keeps each batch: broken off, it goes on where it
   * was. @returns how many were made. @throws CasefileError of the embedder.
   */
  embedPatterns(onProgress?: (done: number, total: number) => void): Promise<number>;
  /** Returns the bases that are empty although every installation begins with them. */
  emptyBases(): Promise<EmptyBase[]>;
  /** Imports what a new installation begins with. @throws CasefileError for the first that cannot be imported. */
  seed(seed: Seed): Promise<void>;
}

/** Returns the search over the patterns of a file. @throws InvalidInput that names every wrong line and field. */
export async function patternSearchIn({ name, text }: TextFile, embedder: Embedder): Promise<PatternSearch> {
  return createPatternSearch({ store: listedPatterns(await parseScamPatterns(text, name)), embedder });
}

/** The origin of runbooks that an installation begins with. */
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
    policies,
    scamPatterns,
    scamReports,
    runbookBase,
    runbooks: createRunbooks(runbookBase, runbooks, log),
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
        await scamReports.importAll(await parseScamReports(reports.text, reports.name));
      if (runbookFiles !== undefined) await runbookBase.importRunbooks(SEEDED, runbookFiles.map(readRunbook));
      for (const file of files) {
        const imported = await importFile(file);
        if ('error' in imported) throw imported.error;
      }
    },
  };
}
