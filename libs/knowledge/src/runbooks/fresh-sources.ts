import {
  asCasefileError,
  unlessAborted,
  withTimeout,
  type CasefileError,
  type Clock,
  type Logger,
} from '@casefile/contracts';
import { addressOf, nameOf, type RunbookRule } from './match-runbook.js';
import {
  originOf,
  readSource,
  type LookUpContext,
  type RunbookReader,
  type RunbookSource,
  type SourceContent,
} from './read-source.js';
import type { RunbookBase, RunbookImport, StoredRunbook } from './runbook-base.js';

/** What a configuration says of runbooks. */
export interface RunbookSettings {
  rules: readonly RunbookRule[];
  /** Name or address of the one that is taken when no rule fits. */
  default: string | null;
  /** Read again when what was read of them is a minute old. Of two that have a runbook of one name the first counts. */
  sources: readonly RunbookSource[];
}

/** What an import made of a source: what became of each runbook, and the files that are wrong. */
export interface ImportedRunbooks {
  runbooks: RunbookImport[];
  wrong: { file: string; error: CasefileError }[];
}

/** Runbooks as they are now. */
export interface There {
  runbooks: readonly StoredRunbook[];
  /** Why one of these, or the page at an address that a rule names, cannot be read; null: it can, or no source has it. */
  failureOf(runbook: StoredRunbook | URL | null): CasefileError | null;
  /** The sources that cannot be read, each with the reason, as sentences. */
  failures: string[];
}

/** How long what was read stays as it is. */
export const FRESH_MS = 60_000;
/** For reading one source, or one page. */
export const READ_MS = 8_000;
/** Of a configured source: what it is called on the record. What it left there counts while it is configured. */
const recordNameOf = (origin: string): string => `source ${origin}`;

interface SourceState {
  failure: CasefileError | null;
  commit: string | null;
  names: ReadonlySet<string>;
}

/** Keeps the runbooks of the configured sources as they were within the last minute. */
export function createSources(
  base: RunbookBase,
  settings: RunbookSettings,
  reader: RunbookReader,
  log: Logger,
) {
  /** By the source's name on the record, in the order of the settings. */
  const states = new Map<string, SourceState>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();

  const read = async (source: RunbookSource, clock: Clock): Promise<SourceContent | CasefileError | null> => {
    const known = states.get(recordNameOf(originOf(source)))?.commit ?? null;
    // Whoever waits for it may be called off; the others that wait for the same must not be.
    const never = new AbortController().signal;
    return withTimeout(READ_MS, never, (signal) =>
      readSource(source, reader, { clock, signal }, known),
    ).catch(asCasefileError);
  };

  const put = async (source: RunbookSource, content: SourceContent | CasefileError | null): Promise<void> => {
    const name = recordNameOf(originOf(source));
    const before = states.get(name) ?? { failure: null, commit: null, names: new Set<string>() };
    if (content === null) return void states.set(name, { ...before, failure: null });
    if (!('runbooks' in content)) {
      log.warn({ source: name, error: content.message }, 'a source of runbooks cannot be read');
      return void states.set(name, { ...before, failure: content });
    }
    for (const { file, error } of content.wrong)
      log.warn({ file, error: error.message }, 'a runbook cannot be taken');
    const others = [...states].flatMap(([other, { names }]) => (other === name ? [] : [...names]));
    const runbooks = content.runbooks.filter((one) => !others.includes(one.name));
    for (const one of content.runbooks)
      if (!runbooks.includes(one))
        log.warn({ file: one.source, name: one.name }, 'another source has a runbook of this name');
    await base.importRunbooks(name, runbooks, await keptNames(base, content.wrong));
    states.set(name, {
      failure: null,
      commit: content.commit,
      names: new Set(runbooks.map((one) => one.name)),
    });
  };

  const putAll = async (sources: readonly RunbookSource[], clock: Clock): Promise<void> => {
    const contents = await Promise.all(sources.map((source) => read(source, clock)));
    // One after the other: which of two runbooks of one name counts is no matter of chance.
    for (const [i, source] of sources.entries()) await put(source, contents[i] ?? null);
  };

  const readAll = async (clock: Clock): Promise<void> => {
    await putAll(settings.sources, clock);
    await putAll(pagesNamed(settings, await base.listRunbooks()), clock);
  };

  return {
    /** Reads a source into the knowledge base now, by hand. @throws CasefileError when the source itself cannot be read. */
    async importNow(source: RunbookSource, context: LookUpContext): Promise<ImportedRunbooks> {
      const content = await readSource(source, reader, context);
      if (content === null) return { runbooks: [], wrong: [] };
      const kept = await keptNames(base, content.wrong);
      return {
        runbooks: await base.importRunbooks(originOf(source), content.runbooks, kept),
        wrong: content.wrong,
      };
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
        runbooks: all.filter(({ origin }) => !origin.startsWith(recordNameOf('')) || states.has(origin)),
        failureOf: (runbook) => {
          if (runbook === null) return null;
          const name = runbook instanceof URL ? recordNameOf(runbook.href) : runbook.origin;
          return states.get(name)?.failure ?? null;
        },
        failures: [...states].flatMap(([name, { failure }]) =>
          failure === null ? [] : [`The ${name} cannot be read: ${failure.message}`],
        ),
      };
    },
  };
}

/** Pages that rules name by their address and no other source has: they are sources as well. */
function pagesNamed(
  { rules, default: usual }: RunbookSettings,
  there: readonly StoredRunbook[],
): RunbookSource[] {
  const said = new Set([...rules.map(({ runbook }) => runbook), ...(usual === null ? [] : [usual])]);
  return [...said].flatMap((url): RunbookSource[] => {
    const address = addressOf(url);
    if (address === null) return [];
    const name = nameOf(url, there);
    return there.every((one) => one.name !== name || one.origin === recordNameOf(address.href))
      ? [{ url }]
      : [];
  });
}

/** Names of runbooks whose files are wrong now: they stay as they were. */
async function keptNames(base: RunbookBase, wrong: readonly { file: string }[]): Promise<string[]> {
  if (wrong.length === 0) return [];
  const files = new Set(wrong.map(({ file }) => file));
  return (await base.listRunbooks()).flatMap(({ name, source }) => (files.has(source) ? [name] : []));
}
