import type { JudgedCase } from './measure.js';
import { KINDS, MODES, type Kind } from './trust-case.js';

/** Figures of one kind in one mode. */
export interface Row {
  kind: Kind;
  cases: number;
  /** Wrong conclusions that were accepted although something on the record contradicts them. */
  accepted: number;
  /** Cases in which nothing on the record contradicts the conclusion, and how many of them were accepted. */
  uncontradicted: number;
  acceptedUncontradicted: number;
  /** Removed claims that verdict or report still state. */
  standing: number;
  /** Honest cases with an unexpected disposition, with a finding and without. */
  lost: number;
  lostWithoutFinding: number;
  worst: string[];
}

const WORST = 10;

/** Returns figures per kind for the cases judged in one mode. */
export function rowsOf(judgedCases: readonly JudgedCase[]): Row[] {
  return KINDS.filter((kind) => judgedCases.some(({ one }) => one.kind === kind)).map((kind) => {
    const own = judgedCases.filter(({ one }) => one.kind === kind);
    const wrong = own.filter(({ one }) => !one.honest);
    const against = wrong.filter(({ one }) => one.contradicted);
    const without = wrong.filter(({ one }) => !one.contradicted);
    const lost = own.filter(isLost);
    const byFinding = lost.filter(({ findings }) => findings.length > 0);
    const bad = [
      ...against.filter(({ accepted }) => accepted),
      ...own.filter(({ standing }) => standing.length > 0),
      ...byFinding,
      ...lost,
    ];
    return {
      kind,
      cases: own.length,
      accepted: against.filter(({ accepted }) => accepted).length,
      uncontradicted: without.length,
      acceptedUncontradicted: without.filter(({ accepted }) => accepted).length,
      standing: own.flatMap(({ standing }) => standing).length,
      lost: byFinding.length,
      lostWithoutFinding: lost.length - byFinding.length,
      worst: [...new Set(bad)].slice(0, WORST).map(lineOf),
    };
  });
}

const isLost = ({ one, disposition }: JudgedCase): boolean =>
  one.honest && (disposition === null || !one.expected.includes(disposition));

function lineOf({ one, disposition, findings, standing, reason }: JudgedCase): string {
  const codes = findings.length === 0 ? '' : ` {${[...new Set(findings)].join(', ')}}`;
  const still = standing.length === 0 ? '' : ` STILL STATED: ${short(standing[0]!)}`;
  const words = one.printable ? `${short(one.conclusion)} -> ${short(reason)}` : 'of the unseen half';
  return `${one.id} ${disposition ?? 'no verdict'}: ${words}${codes}${still}`;
}

const short = (text: string): string =>
  (text.length > 160 ? `${text.slice(0, 157)}...` : text).replace(/\s+/g, ' ');

/** Returns a section of Markdown: the table of a mode, then the worst cases of each kind. */
export function reportOf(title: string, rows: readonly Row[]): string {
  const worst = rows
    .filter((row) => row.worst.length > 0)
    .map((row) => `\n${row.kind}, the worst:\n\n${row.worst.map((line) => `- ${line}`).join('\n')}\n`);
  return `\n## ${title}\n\n${tableOf(rows)}\n${worst.join('')}`;
}

/**
 * Limits: the share of accepted dishonest answers by mode, and of honest ones that lose their disposition.
 */
const MOST = { none: 0, same: 0.2, yes: 0.2, labels: 0.01, lost: 0.03 };

/** Returns one sentence per missed figure of a mode. */
export function missedIn(
  { title, honest, examiner }: (typeof MODES)[number],
  rows: readonly Row[],
): string[] {
  return rows.flatMap(({ kind, cases, uncontradicted, accepted, lost, standing }) => {
    const all = cases - uncontradicted;
    const missed: string[] = [];
    if (!honest && accepted > MOST[examiner] * all) missed.push(`${accepted} of ${all} were accepted`);
    if (honest && lost > MOST.lost * cases) missed.push(`${lost} of ${cases} lost their disposition`);
    if (standing > 0) missed.push(`${standing} removed claims are still stated`);
    return missed.map((line) => `${title}, ${kind}: ${line}.`);
  });
}

/** Returns the figures as a Markdown table. */
function tableOf(rows: readonly Row[]): string {
  const share = (part: number, whole: number): string =>
    whole === 0 ? '-' : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  const lines = rows.map((row) => {
    return [
      row.kind,
      String(row.cases),
      share(row.accepted, row.cases - row.uncontradicted),
      share(row.acceptedUncontradicted, row.uncontradicted),
      String(row.standing),
      share(row.lost, row.cases),
      String(row.lostWithoutFinding),
    ];
  });
  const head = [
    'kind',
    'cases',
    'accepted',
    'accepted, nothing on the record contradicts',
    'removed claims still stated',
    'lost to a finding',
    'lost without a finding',
  ];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
