import {
  asCasefileError,
  type CaseDocument,
  type CasefileError,
  type PatternImport,
  type PolicyDocuments,
  type ScamPattern,
  type ScamPatterns,
  type ScamReportInput,
  type ScamReports,
} from '@casefile/contracts';
import { connect, embedScamPatterns, readConfig, type Config } from '@casefile/runtime';
import { summariesOf, type Summaries } from './policies/summaries.js';
import type { PolicyFile } from './policies/find-documents.js';
import { importPolicyFile } from './policies/import-policies.js';
import { progressOf } from './output/progress.js';
import type { Terminal } from './output/terminal.js';
import { quietly } from './quietly.js';

export interface OpenStore {
  importScamReports(
    reports: ScamReportInput[],
    terminal: Terminal,
  ): Promise<{ inserted: number; replaced: number }>;
  /** @param again Makes all vectors anew, for a server whose vectors have become others. */
  importScamPatterns(patterns: ScamPattern[], terminal: Terminal, again: boolean): Promise<PatternsImported>;
  /** The starting set, or what is new in it; vectors are made when they are first looked up. */
  seedScamPatterns(patterns: ScamPattern[]): Promise<void>;
  getCase(caseId: string): Promise<CaseDocument | null>;
  policies: PolicyDocuments;
  /** The model that can write summaries; null: none is configured. */
  summaries: Summaries | null;
  close(): Promise<void>;
}

/** The patterns are in; of their vectors, how many were made, and why the rest was not. */
export interface PatternsImported extends PatternImport {
  embedded: number;
  embeddingFailure: CasefileError | null;
}

/** The store of a configuration, for a command that works on it without services. */
export async function openStore(config: Config = quietly(readConfig())): Promise<OpenStore> {
  const { adapters, close } = await connect(config, []);
  return {
    importScamReports: (reports, terminal) => importReports(adapters.store, reports, terminal),
    importScamPatterns: async (patterns, terminal, again) => {
      const counts = await adapters.store.importPatterns(patterns);
      const { model } = adapters.embedder ?? {};
      if (again && model !== undefined) await adapters.store.dropVectors(model);
      const progress = growing(terminal, 'embedding');
      try {
        const embedded = await embedScamPatterns(adapters, progress.at);
        return { ...counts, embedded, embeddingFailure: null };
      } catch (thrown) {
        return { ...counts, embedded: progress.done(), embeddingFailure: asCasefileError(thrown) };
      } finally {
        progress.end();
      }
    },
    seedScamPatterns: (patterns) => seedPatterns(adapters.store, patterns),
    getCase: (caseId) => adapters.store.getCase(caseId),
    policies: adapters.store,
    summaries: summariesOf(adapters),
    close,
  };
}

/**
 * Imports the starting set into a knowledge base that is empty, and brings one up to date that has an earlier edition of
 * it: patterns that it lacks, and those whose version is higher now. A pattern that somebody else has put under the same
 * id stays theirs (its source differs), and a knowledge base without any of the set is left alone.
 */
export async function seedPatterns(store: ScamPatterns, patterns: ScamPattern[]): Promise<void> {
  const known = new Map((await store.patternsSince(0)).map((pattern) => [pattern.id, pattern]));
  const isOwn = ({ id, source }: ScamPattern) => known.get(id)?.source === source;
  if (known.size > 0 && !patterns.some(isOwn)) return;
  const newer = patterns.filter((pattern) => {
    const before = known.get(pattern.id);
    return before === undefined || (isOwn(pattern) && before.version < pattern.version);
  });
  if (newer.length > 0) await store.importPatterns(newer);
}

/** Imports policies, each as a whole. @throws CasefileError for the first that cannot be imported. */
export async function seedPolicies(store: PolicyDocuments, files: readonly PolicyFile[]): Promise<void> {
  for (const file of files) {
    const imported = await importPolicyFile(store, file);
    if ('error' in imported) throw imported.error;
  }
}

/** Imports reports, with a bar for the person who waits. All or nothing. */
export async function importReports(store: ScamReports, reports: ScamReportInput[], terminal: Terminal) {
  const progress = progressOf(terminal, 'importing', reports.length);
  try {
    const counts = await store.importAll(reports);
    progress.to(reports.length);
    return counts;
  } finally {
    progress.end();
  }
}

// How much there is to do is known only when it begins.
function growing(terminal: Terminal, what: string) {
  let bar: ReturnType<typeof progressOf> | null = null;
  let last = 0;
  return {
    at: (done: number, total: number) => {
      bar ??= progressOf(terminal, what, total);
      last = done;
      bar.to(done);
    },
    done: () => last,
    end: () => bar?.end(),
  };
}
