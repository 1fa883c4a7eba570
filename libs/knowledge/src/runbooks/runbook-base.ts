import { parseInput, stored, z, type Clock, type Json, type RunbookVersion } from '@casefile/contracts';

/** Characters of one runbook. */
export const MAX_RUNBOOK_TEXT = 200_000;

/** A runbook as it is put in. */
export interface RunbookInput {
  /** Stable: another text under the same name is a new version of the same runbook. */
  name: string;
  title: string;
  /** Markdown, without front matter. */
  text: string;
  /** SHA-256 of the whole file or page, in hex. */
  digest: string;
  /** `sha256:<hex>` or `git:<commit>`. */
  pin: string;
  source: string;
  address: string | null;
  alerts: string[];
  labels: Record<string, string>;
}

/** What became of one runbook. `gone`: it was there at the last import of its origin, and is not any more. */
export interface RunbookImport {
  name: string;
  version: number;
  outcome: 'new' | 'changed' | 'unchanged' | 'gone';
}

/** The knowledge base of runbooks. */
export interface RunbookBase {
  /**
   * Puts in all runbooks of one origin (a folder, an address, a repository), all or nothing. One of the same name belongs to
   * this origin from now on; one that this origin had before, and has not any more, is gone: no longer found, its texts kept.
   * @param keep Names that are not gone although they are not among them: what they are now could not be read.
   * @throws InvalidInput that names every wrong field (`[3].text`).
   */
  importRunbooks(
    origin: string,
    runbooks: readonly RunbookInput[],
    keep?: readonly string[],
  ): Promise<RunbookImport[]>;
  /** The current version of each that is not gone, with its origin and first heading, in the order of their names. */
  listRunbooks(): Promise<StoredRunbook[]>;
  /** All versions of one, also of one that is gone, with their texts, the current one first, then the newest. */
  runbookVersions(name: string): Promise<(RunbookVersion & { text: string })[]>;
  /** The text of a version; null: there is none. */
  runbookText(name: string, version: number): Promise<string | null>;
}
export type StoredRunbook = RunbookVersion & { origin: string; heading: string | null };

const runbookSchema = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'expected lower-case letters, digits and -'),
  title: z.string().trim().min(1).max(300),
  text: z.string().max(MAX_RUNBOOK_TEXT),
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex'),
  pin: z
    .string()
    .regex(/^(sha256:[0-9a-f]{64}|git:[0-9a-f]{40,64})$/, 'expected sha256:<hex> or git:<commit>'),
  source: z.string().min(1).max(2_048),
  address: z.string().max(2_048).nullable(),
  alerts: z.array(z.string().min(1).max(500)).max(200),
  labels: z.record(z.string().min(1).max(500), z.string().max(2_000)),
});

/** Checked, and the last of those with one name. @throws InvalidInput that names `[i].field`. */
export function checkedRunbooks(given: readonly RunbookInput[]): RunbookInput[] {
  const checked = parseInput(z.array(runbookSchema), stored([...given]), 'runbooks');
  return [...new Map(checked.map((one) => [one.name, one])).values()];
}

/**
 * The same, where secrets are taken out of a runbook before it is put in; its digest and pin stay those of the file. S2-48.
 * @param mask @throws what cannot be looked through: then nothing is put in.
 */
export function withoutSecrets(
  base: RunbookBase,
  mask: (value: Json) => Promise<{ value: Json }>,
): RunbookBase {
  const clean = async (runbook: RunbookInput): Promise<RunbookInput> => {
    const { title, text, alerts, labels } = runbook;
    const { value } = await mask({ title, text, alerts, labels });
    return { ...runbook, ...(value as Pick<RunbookInput, 'title' | 'text' | 'alerts' | 'labels'>) };
  };
  return {
    ...base,
    importRunbooks: async (origin, runbooks, keep) =>
      base.importRunbooks(origin, await Promise.all(runbooks.map(clean)), keep),
  };
}

export function outcomeOf(version: number, before: number | null): 'new' | 'changed' | 'unchanged' {
  if (before === null) return 'new';
  return version === before ? 'unchanged' : 'changed';
}

interface Kept {
  origin: string;
  current: number;
  gone: boolean;
  versions: (RunbookVersion & { text: string; digest: string })[];
}

/** Runbooks in this process's memory: for tests. The same rules as those in Postgres, under one suite. */
export function memoryRunbooks(clock: Clock): RunbookBase {
  const kept = new Map<string, Kept>();
  const currentOf = ({ versions, current }: Kept) => versions.find(({ version }) => version === current);
  return {
    importRunbooks: async (origin, runbooks, keep = []) => {
      const put = checkedRunbooks(runbooks).map((one) => putOne(kept, origin, one, clock));
      const stay = new Set([...put.map(({ name }) => name), ...keep]);
      const gone = [...kept].flatMap(([name, one]): RunbookImport[] => {
        if (one.origin !== origin || one.gone || stay.has(name)) return [];
        one.gone = true;
        return [{ name, version: one.current, outcome: 'gone' }];
      });
      return [...put, ...gone];
    },
    listRunbooks: async () =>
      [...kept.entries()]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, one]) => {
          const current = currentOf(one);
          if (one.gone || current === undefined) return [];
          const { text, digest: _digest, ...version } = current;
          return [{ ...version, origin: one.origin, heading: firstHeading(text) }];
        }),
    runbookVersions: async (name) => {
      const one = kept.get(name);
      if (one === undefined) return [];
      const rank = (version: number) => (version === one.current ? Number.MAX_SAFE_INTEGER : version);
      return [...one.versions]
        .sort((a, b) => rank(b.version) - rank(a.version))
        .map(({ digest: _digest, ...version }) => version);
    },
    runbookText: async (name, version) =>
      kept.get(name)?.versions.find((one) => one.version === version)?.text ?? null,
  };
}

function putOne(kept: Map<string, Kept>, origin: string, given: RunbookInput, clock: Clock): RunbookImport {
  const { name, digest, source, address } = given;
  const one = kept.get(name) ?? { origin, current: 0, gone: true, versions: [] };
  const before = one.gone ? null : one.current;
  const known = one.versions.find((version) => version.digest === digest);
  const version = known?.version ?? one.versions.length + 1;
  if (known === undefined) {
    const importedAt = new Date(clock.now()).toISOString();
    one.versions.push({ ...given, version, characters: given.text.length, importedAt });
  } else Object.assign(known, { source, address });
  kept.set(name, { ...one, origin, current: version, gone: false });
  return { name, version, outcome: outcomeOf(version, before) };
}

/** The first heading of the highest level; null: the text has none. */
export function firstHeading(text: string): string | null {
  const line = text.split('\n').find((one) => one.startsWith('# '));
  const heading = line?.slice(2).trim().slice(0, 300) ?? '';
  return heading === '' ? null : heading;
}
