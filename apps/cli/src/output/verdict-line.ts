import type { JsonObject, Verdict } from '@casefile/contracts';
import { excerpt } from './escape.js';
import type { Colors, Terminal } from './terminal.js';

/** What a line on a verdict shows. */
export interface DecidedCase {
  caseId: string;
  runId: string;
  playbook: string;
  text: string;
  verdict: Pick<Verdict, 'outcome' | 'disposition' | 'confidence' | 'method' | 'degraded'>;
  /** Where a person looks at the case. */
  link: string;
}

const COLUMN = { disposition: 7, outcome: 6, playbook: 12 } as const;
const SHORTEST_EXCERPT = 24;
const LONGEST_EXCERPT = 70;
/** Characters between disposition, facts, text and link. */
const GAPS = 6;

/** `act  high  0.85  scam-verdict  <text>  <link>`. */
export function verdictLine(
  decided: DecidedCase,
  { colors, width }: Pick<Terminal, 'colors' | 'width'>,
): string {
  const { verdict, playbook, link } = decided;
  const outcome = outcomeWord(verdict.outcome).padEnd(COLUMN.outcome);
  const facts = `${outcome}  ${verdict.confidence.toFixed(2)}  ${excerpt(playbook, 40).padEnd(COLUMN.playbook)}`;
  const taken = COLUMN.disposition + facts.length + link.length + GAPS;
  const room = Math.max(SHORTEST_EXCERPT, Math.min(LONGEST_EXCERPT, width - taken));
  // A model was to judge it and something kept it from doing so: `show` says what.
  const mark = verdict.degraded && verdict.method === 'llm' ? 'DEGRADED ' : '';
  const text = excerpt(`${mark}${decided.text}`, room) || '(no text)';
  const disposition = paint(colors, verdict.disposition, verdict.disposition.padEnd(COLUMN.disposition));
  return `${disposition}  ${facts}  ${text.padEnd(room)}  ${colors.dim(link)}`;
}

/** How many of each disposition, and how many by a heuristic: `4 act, 3 review, 5 dismiss; 12 by heuristic`. */
export function tally(decided: readonly DecidedCase[]): string {
  const of = (disposition: string): string =>
    `${decided.filter((it) => it.verdict.disposition === disposition).length} ${disposition}`;
  const heuristic = decided.filter((it) => it.verdict.method === 'heuristic').length;
  const model = decided.length - heuristic;
  return `${['act', 'review', 'dismiss'].map(of).join(', ')}; ${model} by the model, ${heuristic} by heuristics`;
}

/** The one word of an outcome that a line has room for: each kind of case has its own vocabulary. */
export function outcomeWord(outcome: JsonObject): string {
  const words = ['riskLevel', 'action', 'status'].flatMap((key) => asWord(outcome[key]));
  return words[0] ?? '-';
}

function asWord(value: unknown): string[] {
  return typeof value === 'string' ? [excerpt(value, 20)] : [];
}

function paint(colors: Colors, disposition: string, text: string): string {
  if (disposition === 'act') return colors.red(text);
  return disposition === 'review' ? colors.yellow(text) : colors.green(text);
}
