import { stored, type RunbookVersion } from '@casefile/contracts';
import {
  assignments,
  columnsOf,
  copied,
  insertInto,
  listOf,
  rowSet,
  WithClause,
  type Database,
  type Queryable,
} from '@casefile/store';
import {
  checkedRunbooks,
  firstHeading,
  outcomeOf,
  type RunbookBase,
  type RunbookImport,
  type RunbookInput,
} from './runbook-base.js';

/** Runbooks in Postgres. */
export function postgresRunbooks(database: Database): RunbookBase {
  return {
    importRunbooks: async (origin, runbooks, keep = []) =>
      importInto(database, origin, checkedRunbooks(runbooks), keep),
    listRunbooks: async () => {
      const rows = await database.rows<VersionRow & { origin: string; heading: string | null }>(
        `select ${VERSION}, r.origin, ${HEADING} as heading ${FROM} where v.version = r.current_version and r.gone_at is null order by v.name collate "C"`,
      );
      return rows.map((row) => ({ ...dated(row), heading: headingIn(row.heading) }));
    },
    runbookVersions: async (name) => {
      const rows = await database.rows<VersionRow & { text: string }>(
        `select ${VERSION}, v.text ${FROM} where v.name = $1 order by v.version = r.current_version desc, v.version desc`,
        stored([name]),
      );
      return rows.map(dated);
    },
    runbookText: async (name, version) => {
      const statement = 'select text from runbook_versions where name = $1 and version = $2';
      const [row] = await database.rows<{ text: string }>(statement, [...stored([name]), version]);
      return row?.text ?? null;
    },
  };
}

interface VersionRow extends Omit<RunbookVersion, 'importedAt'> {
  importedAt: Date;
}

const VERSION = `v.name, v.version, v.title, v.pin, v.source, v.address, v.alerts, v.labels,
  char_length(v.text) as characters, v.imported_at as "importedAt"`;
const FROM = 'from runbook_versions v join runbooks r on r.name = v.name';
/** The line that `firstHeading` reads. */
const HEADING = "substring(v.text from '(?n)^# .*$')";

const headingIn = (line: string | null): string | null => (line === null ? null : firstHeading(line));

const dated = <R extends VersionRow>(row: R) => ({ ...row, importedAt: row.importedAt.toISOString() });

interface Put {
  name: string;
  version: number;
  before: number | null;
}

const RUNBOOKS = rowSet(
  'given',
  columnsOf(
    'runbook_versions',
    ...(['name', 'title', 'text', 'digest', 'pin', 'source', 'address', 'alerts', 'labels'] as const),
  ),
);

async function importInto(
  database: Database,
  origin: string,
  runbooks: RunbookInput[],
  keep: readonly string[],
): Promise<RunbookImport[]> {
  const [at = ''] = stored([origin]);
  return database.transaction(async (tx) => {
    // Of two imports at once one sees what the other did.
    await tx.rows('lock table runbooks in share row exclusive mode');
    const put = await putAll(tx, at, runbooks);
    const names = [...put.map(({ name }) => name), ...stored([...keep])];
    const gone = await tx.rows<{ name: string; version: number }>(GONE, [at, JSON.stringify(names)]);
    return [
      ...put.map(({ name, version, before }): RunbookImport => ({
        name,
        version,
        outcome: outcomeOf(version, before),
      })),
      ...gone.map(({ name, version }): RunbookImport => ({ name, version, outcome: 'gone' })),
    ];
  });
}

/** $1 the origin. */
const PUT_RUNBOOKS = `known as (
    select g.name, v.version from given g join runbook_versions v on v.name = g.name and v.digest = g.digest),
  put as (
    ${insertInto('runbooks', {
      name: 'g.name',
      current_version:
        'coalesce(k.version, (select max(version) from runbook_versions v where v.name = g.name) + 1, 1)',
      origin: '$1',
    })}
    from given g left join known k on k.name = g.name
    on conflict (name) do update
    set ${assignments('runbooks', {
      current_version: 'excluded.current_version',
      origin: 'excluded.origin',
      gone_at: 'null',
    })}
    returning ${listOf('runbooks', '', 'name', 'current_version')}),
  inserted as (
    ${insertInto('runbook_versions', {
      name: 'g.name',
      version: 'p.current_version',
      ...copied('g', 'title', 'text', 'digest', 'pin', 'source', 'address', 'alerts', 'labels'),
    })}
    from given g join put p on p.name = g.name where g.name not in (select name from known)),
  moved as (
    update runbook_versions v
    set ${assignments('runbook_versions', { source: 'g.source', address: 'g.address' })}
    from given g where v.name = g.name and v.digest = g.digest
      and (v.source, v.address) is distinct from (g.source, g.address))`;
const PUT = `
  select p.name, p.current_version as version,
    (select r.current_version from runbooks r where r.name = p.name and r.gone_at is null) as before
  from put p`;

/** What was gone and is there again is new. */
async function putAll(tx: Queryable, origin: string, runbooks: RunbookInput[]): Promise<Put[]> {
  const { text, params } = new WithClause(origin).rows(RUNBOOKS, runbooks, PUT_RUNBOOKS).statement(PUT);
  const rows = await tx.rows<Put>(text, params);
  const order = new Map(runbooks.map(({ name }, i) => [name, i]));
  return rows.sort((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0));
}

const GONE = `update runbooks set gone_at = now() where origin = $1 and gone_at is null
    and name not in (select value from json_array_elements_text($2::json)) returning name, current_version as version`;
