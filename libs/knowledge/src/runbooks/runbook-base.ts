import { toStored, z, type Json, type Pages, type RunbookVersion } from '@casefile/contracts';
import {
  assignments,
  tableColumns,
  copyColumns,
  insertInto,
  columnList,
  rowSet,
  WithClause,
  type Database,
  type Queryable,
} from '@casefile/store';
import { checkedPages, checkedRows, mapPages } from '../pages.js';

/** Most characters of one runbook. */
export const MAX_RUNBOOK_TEXT = 200_000;

/** A runbook to import. */
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

/** Import result of one runbook. `gone`: it was in the last import of its origin and no longer is. */
export interface RunbookImport {
  name: string;
  version: number;
  outcome: 'new' | 'changed' | 'unchanged' | 'gone';
}

/** The knowledge base of runbooks. */
export interface RunbookBase {
  /**
   * Imports all runbooks of one origin (a folder, a URL, a repository), completely or not at all. An existing
   * runbook of the same name now belongs to this origin. A runbook that this origin no longer contains is
   * gone: it is not found any more, but its texts are kept.
   * @param keep Names that are not gone although missing, because their current files could not be read.
   * @throws InvalidInput that names every wrong field of the first wrong page (`[3].text`).
   */
  importRunbooks(
    origin: string,
    pages: Pages<RunbookInput[]>,
    keep?: readonly string[],
  ): Promise<RunbookImport[]>;
  /** Current version of each runbook that is not gone, with its origin and first heading, by name. */
  listRunbooks(): Promise<StoredRunbook[]>;
  /** All versions of a runbook, even a gone one, with their texts: the current one first, then the newest. */
  runbookVersions(name: string): Promise<(RunbookVersion & { text: string })[]>;
  /** Text of a version; null: there is no such version. */
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

const checkedRunbooks = (page: readonly RunbookInput[], before: number): RunbookInput[] =>
  checkedRows(runbookSchema, page, 'runbooks', before);

/** Keeps the last of each name: a statement cannot change a row twice. */
function lastOfEach(runbooks: readonly RunbookInput[]): RunbookInput[] {
  return [...new Map(runbooks.map((one) => [one.name, one])).values()];
}

/**
 * Removes secrets from runbooks before they are stored; digest and pin stay those of the file.
 * @param mask @throws if a value cannot be scanned; then nothing is stored.
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
    importRunbooks: (origin, pages, keep) => {
      const cleaned = mapPages(pages, (page) => Promise.all(page.map(clean)));
      return base.importRunbooks(origin, cleaned, keep);
    },
  };
}

/** Runbooks in Postgres. */
export function postgresRunbooks(database: Database): RunbookBase {
  return {
    importRunbooks: async (origin, pages, keep = []) => importInto(database, origin, pages, keep),
    listRunbooks: async () => {
      const rows = await database.rows<RunbookVersionRow & { origin: string; heading: string | null }>(
        `select ${VERSION}, r.origin, ${HEADING} as heading ${FROM} where v.version = r.current_version and r.gone_at is null order by v.name collate "C"`,
      );
      return rows.map((row) => ({
        ...datedRow(row),
        heading: row.heading === null ? null : firstHeading(row.heading),
      }));
    },
    runbookVersions: async (name) => {
      const rows = await database.rows<RunbookVersionRow & { text: string }>(
        `select ${VERSION}, v.text ${FROM} where v.name = $1 order by v.version = r.current_version desc, v.version desc`,
        toStored([name]),
      );
      return rows.map(datedRow);
    },
    runbookText: async (name, version) => {
      const statement = 'select text from runbook_versions where name = $1 and version = $2';
      const [row] = await database.rows<{ text: string }>(statement, [...toStored([name]), version]);
      return row?.text ?? null;
    },
  };
}

interface RunbookVersionRow extends Omit<RunbookVersion, 'importedAt'> {
  importedAt: Date;
}

const VERSION = `v.name, v.version, v.title, v.pin, v.source, v.address, v.alerts, v.labels,
  char_length(v.text) as characters, v.imported_at as "importedAt"`;
const FROM = 'from runbook_versions v join runbooks r on r.name = v.name';
/** The first line that is a heading of the highest level. */
const HEADING = "substring(v.text from '(?n)^# .*$')";

const datedRow = <R extends RunbookVersionRow>(row: R) => ({
  ...row,
  importedAt: row.importedAt.toISOString(),
});

interface Put {
  name: string;
  version: number;
  before: number | null;
}

const COLUMNS = ['title', 'text', 'digest', 'pin', 'source', 'address', 'alerts', 'labels'] as const;
const RUNBOOKS = rowSet('runbook_rows', tableColumns('runbook_versions', 'name', ...COLUMNS));

async function importInto(
  database: Database,
  origin: string,
  pages: Pages<RunbookInput[]>,
  keep: readonly string[],
): Promise<RunbookImport[]> {
  const [at = ''] = toStored([origin]);
  return database.transaction(async (tx) => {
    // The lock makes the second of two concurrent imports see the result of the first.
    await tx.rows('lock table runbooks in share row exclusive mode');
    const put: Put[] = [];
    for await (const page of checkedPages(pages, checkedRunbooks))
      put.push(...(await putAll(tx, at, lastOfEach(toStored(page)))));
    const names = [...put.map(({ name }) => name), ...toStored([...keep])];
    const gone = await tx.rows<{ name: string; version: number }>(GONE, [at, JSON.stringify(names)]);
    return [
      ...put.map(({ name, version, before }): RunbookImport => ({
        name,
        version,
        outcome: importOutcome(version, before),
      })),
      ...gone.map(({ name, version }): RunbookImport => ({ name, version, outcome: 'gone' })),
    ];
  });
}

/** $1 the origin. */
const PUT_RUNBOOKS = `stored_versions as (
    select g.name, v.version from runbook_rows g join runbook_versions v on v.name = g.name and v.digest = g.digest),
  put as (
    ${insertInto('runbooks', {
      name: 'g.name',
      current_version:
        'coalesce(s.version, (select max(version) from runbook_versions v where v.name = g.name) + 1, 1)',
      origin: '$1',
    })}
    from runbook_rows g left join stored_versions s on s.name = g.name
    on conflict (name) do update
    set ${assignments('runbooks', {
      current_version: 'excluded.current_version',
      origin: 'excluded.origin',
      gone_at: 'null',
    })}
    returning ${columnList('runbooks', '', 'name', 'current_version')}),
  inserted as (
    ${insertInto('runbook_versions', {
      name: 'g.name',
      version: 'p.current_version',
      ...copyColumns('g', ...COLUMNS),
    })}
    from runbook_rows g join put p on p.name = g.name where g.name not in (select name from stored_versions)),
  moved as (
    update runbook_versions v
    set ${assignments('runbook_versions', { source: 'g.source', address: 'g.address' })}
    from runbook_rows g where v.name = g.name and v.digest = g.digest
      and (v.source, v.address) is distinct from (g.source, g.address))`;
const PUT = `
  select p.name, p.current_version as version,
    (select r.current_version from runbooks r where r.name = p.name and r.gone_at is null) as before
  from put p`;

/** A gone runbook that reappears counts as new. */
async function putAll(tx: Queryable, origin: string, runbooks: RunbookInput[]): Promise<Put[]> {
  const { text, params } = new WithClause(origin).rows(RUNBOOKS, runbooks, PUT_RUNBOOKS).statement(PUT);
  const rows = await tx.rows<Put>(text, params);
  const order = new Map(runbooks.map(({ name }, i) => [name, i]));
  return rows.sort((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0));
}

const GONE = `update runbooks set gone_at = now() where origin = $1 and gone_at is null
    and name not in (select value from json_array_elements_text($2::json)) returning name, current_version as version`;

/** The first heading of the highest level; null: the text has none. */
export function firstHeading(text: string): string | null {
  const line = text.split('\n').find((one) => one.startsWith('# '));
  const heading = line?.slice(2).trim().slice(0, 300) ?? '';
  return heading === '' ? null : heading;
}

function importOutcome(version: number, before: number | null): 'new' | 'changed' | 'unchanged' {
  if (before === null) return 'new';
  return version === before ? 'unchanged' : 'changed';
}
