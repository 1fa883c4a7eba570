import {
  toStored,
  type PolicyKey,
  type PolicyNode,
  type PolicySection,
  type PolicyVersion,
  type RankedNode,
  type TextSpan,
} from '@casefile/contracts';
import { WithClause, type Database, type Queryable } from '@casefile/store';
import {
  checkedPolicy,
  checkedSummaries,
  digestOfPolicy,
  type PolicyBase,
  type PolicyImport,
  type PolicyInput,
} from './policy-base.js';
import * as sql from './policy-statements.js';
import { textPieces } from './text-spans.js';

/** Sections per statement: enough to be fast, few enough for one message. */
const ROWS_A_STATEMENT = 500;

/** Policy documents in Postgres, with an index over their words in each document's language. */
export function postgresPolicies(database: Database): PolicyBase {
  const versions = async (where: string, params: unknown[]): Promise<PolicyVersion[]> =>
    (await database.rows<PolicyVersionRow>(`${sql.VERSIONS} ${where}`, params)).map(toVersion);
  const policyVersion = async (policyId: string, version?: number): Promise<PolicyVersion | null> => {
    const where = 'where v.policy_id = $1 and v.version = coalesce($2::int, p.current_version)';
    return (await versions(where, [...toStored([policyId]), version ?? null]))[0] ?? null;
  };
  const policySections = async (key: PolicyKey, nodeIds: readonly string[]): Promise<PolicySection[]> => {
    const rows = await database.rows<NodeRow & { text: string }>(sql.SECTIONS, [
      ...keyParameters(key),
      nodeIdsJson(nodeIds),
    ]);
    return rows.map((row) => ({ ...toNode(row), text: row.text }));
  };
  return {
    importPolicy: (input) => importPolicy(database, input),
    policyOfSource: async (policyId, sourceDigest) => {
      const where = 'where v.policy_id = $1 and v.source_digest = $2 and v.version = p.current_version';
      return (await versions(where, toStored([policyId, sourceDigest])))[0] ?? null;
    },
    listPolicies: () => versions('where v.version = p.current_version order by v.policy_id collate "C"', []),
    policyVersion,
    policyTree: async (key) => (await database.rows<NodeRow>(sql.NODES, keyParameters(key))).map(toNode),
    policySections,
    saveSummaries: async (key, summaries) => {
      const clause = new WithClause(...keyParameters(key)).rows(
        sql.SUMMARIES,
        toStored(checkedSummaries(summaries)),
      );
      const { text, params } = clause.statement(sql.SAVE_SUMMARIES);
      return (await database.rows(text, params)).length;
    },
    searchPolicy: async (key, query, limit) => {
      const version = await policyVersion(key.policyId, key.version);
      if (version === null) return [];
      const config = searchConfiguration(version.language);
      return database.rows<RankedNode>(sql.RANKED_SECTIONS, [
        ...keyParameters(key),
        config,
        ...toStored([query]),
        limit,
      ]);
    },
    findSpans: async (key, nodeIds, query, limit) => {
      const version = await policyVersion(key.policyId, key.version);
      if (version === null) return [];
      const sections = await policySections(key, nodeIds);
      const pieces = sections.flatMap(({ nodeId, text }) =>
        textPieces(text, version.language).map((piece) => ({ nodeId, ...piece })),
      );
      const config = searchConfiguration(version.language);
      const texts = JSON.stringify(pieces.map(({ text }) => text));
      const ranked = await database.rows<{ n: number; rank: number }>(sql.RANKED_SPANS, [
        texts,
        config,
        ...toStored([query]),
        limit,
      ]);
      return ranked.flatMap(({ n, rank }): TextSpan[] => {
        const piece = pieces[n - 1];
        return piece === undefined ? [] : [{ ...piece, rank }];
      });
    },
  };
}

const keyParameters = ({ policyId, version }: PolicyKey): unknown[] => [...toStored([policyId]), version];
const nodeIdsJson = (nodeIds: readonly string[]): string => JSON.stringify(toStored(nodeIds));

async function importPolicy(database: Database, input: PolicyInput): Promise<PolicyImport> {
  const policy = checkedPolicy(toStored(input));
  const { policyId } = policy;
  const digest = digestOfPolicy(policy);
  return database.transaction(async (tx) => {
    // Locks the policy's row until the end, so that of two concurrent imports the second sees the result of
    // the first.
    await tx.rows('insert into policies (id, current_version) values ($1, 0) on conflict do nothing', [
      policyId,
    ]);
    const lock = 'select current_version as current from policies where id = $1 for update';
    const [{ current = 0 } = {}] = await tx.rows<{ current: number }>(lock, [policyId]);
    const same = 'select version from policy_versions where policy_id = $1 and digest = $2';
    const [existingRow] = await tx.rows<{ version: number }>(same, [policyId, digest]);
    const version = existingRow?.version ?? (await insertVersion(tx, policy, digest));
    if (existingRow !== undefined) await noteSource(tx, policy, version);
    if (version === current) return { policyId, version, outcome: 'unchanged' };
    await tx.rows('update policies set current_version = $2 where id = $1', [policyId, version]);
    return { policyId, version, outcome: existingRow === undefined ? 'new' : 'restored' };
  });
}

// Records the source, so that the same file need not be read again although an earlier file had the same
// text.
async function noteSource(tx: Queryable, { policyId, source, sourceDigest }: PolicyInput, version: number) {
  await tx.rows(
    'update policy_versions set source = $3, source_digest = $4 where policy_id = $1 and version = $2',
    [policyId, version, source, sourceDigest],
  );
}

async function insertVersion(tx: Queryable, policy: PolicyInput, digest: string): Promise<number> {
  const { policyId, title, language, format, source, sourceDigest, pages, sections } = policy;
  const [{ version = 1 } = {}] = await tx.rows<{ version: number }>(sql.VERSION_INSERT, [
    policyId,
    title,
    language,
    format,
    source,
    sourceDigest,
    digest,
    pages,
    sections.length,
  ]);
  const rows = sections.map((section, i) => ({
    position: i + 1,
    nodeId: section.nodeId,
    parentId: section.parentId,
    level: section.level,
    title: section.title,
    text: section.text,
    summary: section.summary,
    confidential: section.confidential === true,
    pageFrom: section.pages?.from ?? null,
    pageTo: section.pages?.to ?? null,
    lineFrom: section.lines?.from ?? null,
    lineTo: section.lines?.to ?? null,
  }));
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const clause = new WithClause(policyId, version, searchConfiguration(language));
    const { text, params } = clause
      .rows(sql.NEW_SECTIONS, rows.slice(from, from + ROWS_A_STATEMENT))
      .statement(sql.ADD_SECTIONS);
    await tx.rows(text, params);
  }
  return version;
}

type PolicyVersionRow = Omit<PolicyVersion, 'importedAt'> & { importedAt: Date };

function toVersion(row: PolicyVersionRow): PolicyVersion {
  return { ...row, importedAt: row.importedAt.toISOString() };
}

interface NodeRow extends Omit<PolicyNode, 'pages' | 'lines' | 'confidential'> {
  confidential: boolean;
  pageFrom: number | null;
  pageTo: number | null;
  lineFrom: number | null;
  lineTo: number | null;
}

function toNode(row: NodeRow): PolicyNode {
  const { nodeId, parentId, level, title, summary, summaryBy, characters } = row;
  const { pageFrom, pageTo, lineFrom, lineTo } = row;
  const span = (from: number | null, to: number | null) =>
    from === null || to === null ? null : { from, to };
  const pages = span(pageFrom, pageTo);
  const lines = span(lineFrom, lineTo);
  const marks = row.confidential ? { confidential: true as const } : {};
  return { nodeId, parentId, level, title, pages, lines, summary, summaryBy, characters, ...marks };
}

// Dictionaries included in every supported Postgres version.
const CONFIGURATIONS: Record<string, string> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/**
 * Returns the text search configuration of a language (BCP 47), or the one without stemming if there is none.
 */
export function searchConfiguration(language: string): string {
  const [primary = ''] = language.toLowerCase().split('-');
  // The dictionary cannot stem words in another script.
  return /-latn\b/i.test(language) && primary === 'hi' ? 'simple' : (CONFIGURATIONS[primary] ?? 'simple');
}
