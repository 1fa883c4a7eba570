import {
  asCasefileError,
  unlessAborted,
  withTimeout,
  type BoundedRunner,
  type CasefileError,
  type Clock,
  type Logger,
} from '@casefile/contracts';
import { isAboutAllFiles } from '../import-file.js';
import { mapPages } from '../pages.js';
import { normalisedUrl, referencedName, type RunbookRule } from './match-runbook.js';
import {
  findFiles,
  readFiles,
  sourceOrigin,
  type FoundSource,
  type LookUpContext,
  type RunbookReader,
  type RunbookSource,
  type SourceContent,
} from './read-source.js';
import type { RunbookBase, RunbookImport, RunbookInput, StoredRunbook } from './runbook-base.js';

/** Configuration of the runbooks. */
export interface RunbookSettings {
  rules: readonly RunbookRule[];
  /** Name or URL of the runbook used if no rule matches. */
  default: string | null;
  /**
   * Read again if their content is a minute old. If two sources have a runbook of the same name, the first
   * has precedence.
   */
  sources: readonly RunbookSource[];
}

/** Import result of a source: the result of each runbook, and the invalid files. */
export interface ImportedRunbooks {
  runbooks: RunbookImport[];
  wrong: { file: string; error: CasefileError }[];
}

/** Current runbooks. */
export interface There {
  runbooks: readonly StoredRunbook[];
  /**
   * Reason why one of these, or the page at a URL that a rule names, cannot be read; null: it can, or no
   * source has it.
   */
  failureOf(runbook: StoredRunbook | URL | null): CasefileError | null;
  /** The unreadable sources, each with the reason, as sentences. */
  failures: string[];
}

/** Time in milliseconds during which content that was read counts as current. */
export const FRESH_MS = 60_000;
/** Time limit in milliseconds for reading one source or one page. */
export const READ_MS = 8_000;
/** Recorded name of a configured source. Its runbooks count while the source is configured. */
const originRecordName = (origin: string): string => `source ${origin}`;

interface SourceState {
  failure: CasefileError | null;
  commit: string | null;
  names: ReadonlySet<string>;
}

/** Keeps the runbooks of the configured sources at most a minute old. */
export function createSources(
  base: RunbookBase,
  { settings, reader, runner }: { settings: RunbookSettings; reader: RunbookReader; runner: BoundedRunner },
  log: Logger,
) {
  // Several callers share the reading of the sources, so the signal of one caller must not cancel it.
  const never = new AbortController().signal;
  /** By the recorded name of the source, in the order of the settings. */
  const states = new Map<string, SourceState>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();

  const find = async (source: RunbookSource, clock: Clock): Promise<FoundSource | CasefileError | null> => {
    const knownCommit = states.get(originRecordName(sourceOrigin(source)))?.commit ?? null;
    return withTimeout(READ_MS, never, (signal) =>
      findFiles(source, reader, { clock, signal }, knownCommit),
    ).catch(asCasefileError);
  };

  const put = async (source: RunbookSource, found: FoundSource | CasefileError | null): Promise<void> => {
    const name = originRecordName(sourceOrigin(source));
    const before = states.get(name) ?? { failure: null, commit: null, names: new Set<string>() };
    if (found === null) return void states.set(name, { ...before, failure: null });
    const failed = (failure: CasefileError) => {
      log.warn({ source: name, error: failure.message }, 'a source of runbooks cannot be read');
      states.set(name, { ...before, failure });
    };
    if (!('files' in found)) return failed(found);
    const others = new Set([...states].flatMap(([other, { names }]) => (other === name ? [] : [...names])));
    try {
      const imported = await readFiles(found.files, runner, never, (content) =>
        putContent(name, content, others),
      );
      const names = imported.flatMap((one) => (one.outcome === 'gone' ? [] : [one.name]));
      states.set(name, { failure: null, commit: found.commit, names: new Set(names) });
    } catch (thrown) {
      const error = asCasefileError(thrown);
      if (isAboutAllFiles(error)) throw error;
      failed(error);
    }
  };

  const putContent = async (name: string, { pages, wrong }: SourceContent, others: ReadonlySet<string>) => {
    for (const { file, error } of wrong) log.warn({ file, error }, 'a runbook cannot be imported');
    const isOwn = (one: RunbookInput): boolean => {
      if (others.has(one.name))
        log.warn({ file: one.source, name: one.name }, 'another source has a runbook of this name');
      return !others.has(one.name);
    };
    const own = mapPages(pages, (page) => page.filter(isOwn));
    return base.importRunbooks(name, own, await keptNames(base, wrong));
  };

  const putAll = async (sources: readonly RunbookSource[], clock: Clock): Promise<void> => {
    const found = await Promise.all(sources.map((source) => find(source, clock)));
    // One source after the other, because their order decides which of two runbooks with the same name is
    // used.
    for (const [i, source] of sources.entries()) await put(source, found[i] ?? null);
  };

  const readAll = async (clock: Clock): Promise<void> => {
    await putAll(settings.sources, clock);
    await putAll(pagesNamed(settings, await base.listRunbooks()), clock);
  };

  return {
    /**
     * Reads a source into the knowledge base on request. @throws CasefileError if the source itself cannot be
     * read.
     */
    async importNow(source: RunbookSource, context: LookUpContext): Promise<ImportedRunbooks> {
      const found = await findFiles(source, reader, context);
      if (found === null) return { runbooks: [], wrong: [] };
      return readFiles(found.files, runner, context.signal, async ({ pages, wrong }) => {
        const namesToKeep = await keptNames(base, wrong);
        return { runbooks: await base.importRunbooks(sourceOrigin(source), pages, namesToKeep), wrong };
      });
    },
    async there({ clock, signal }: LookUpContext): Promise<There> {
      if (clock.now() - readAt >= FRESH_MS) {
        readAt = clock.now();
        reading = readAll(clock);
        reading.catch(() => (readAt = Number.NEGATIVE_INFINITY));
      }
      await unlessAborted(signal, reading);
      const all = await base.listRunbooks();
      return {
        runbooks: all.filter(({ origin }) => !origin.startsWith(originRecordName('')) || states.has(origin)),
        failureOf: (runbook) => {
          if (runbook === null) return null;
          const name = runbook instanceof URL ? originRecordName(runbook.href) : runbook.origin;
          return states.get(name)?.failure ?? null;
        },
        failures: [...states].flatMap(([name, { failure }]) =>
          failure === null ? [] : [`The ${name} cannot be read: ${failure.message}`],
        ),
      };
    },
  };
}

/** Pages that rules name by URL and no other source contains; they are sources too. */
function pagesNamed(
  { rules, default: usual }: RunbookSettings,
  there: readonly StoredRunbook[],
): RunbookSource[] {
  const references = new Set([...rules.map(({ runbook }) => runbook), ...(usual === null ? [] : [usual])]);
  return [...references].flatMap((url): RunbookSource[] => {
    const address = normalisedUrl(url);
    if (address === null) return [];
    const name = referencedName(url, there);
    return there.every((one) => one.name !== name || one.origin === originRecordName(address.href))
      ? [{ url }]
      : [];
  });
}

/** Names of runbooks whose files are currently invalid; they stay unchanged. */
async function keptNames(base: RunbookBase, wrong: readonly { file: string }[]): Promise<string[]> {
  if (wrong.length === 0) return [];
  const files = new Set(wrong.map(({ file }) => file));
  return (await base.listRunbooks()).flatMap(({ name, source }) => (files.has(source) ? [name] : []));
}
