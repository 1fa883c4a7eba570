import type { Presentation, Verdict } from '@casefile/contracts';
import { excerpt, oneLine } from '@casefile/kit/output/escape';
import type { Colors, Terminal } from './terminal.js';

/** Fields of a verdict line. */
export interface DecidedCase {
  caseId: string;
  runId: string;
  playbook: string;
  text: string;
  verdict: Pick<Verdict, 'disposition' | 'confidence' | 'method' | 'degraded' | 'degradedNote'>;
  /** Presentation of the verdict: its word, the answer, and the summary. */
  shown: Pick<Presentation, 'word' | 'answer' | 'confidenceApplies' | 'summary'>;
  /** URL of the case in the dashboard. */
  link: string;
  /** Cost of all model calls. */
  cost: { usd: number; tokens: number; calls: number };
  /**
   * Missing configuration that would have improved the verdict: a model, and one setting per look-up that
   * lacked one.
   */
  wants: { model: boolean; settings: string[] };
}

const COLUMN = { word: 8, answer: 11, confidence: 5, by: 5, playbook: 17 } as const;
const SHORTEST_EXCERPT = 24;
const LONGEST_EXCERPT = 70;
/** Number of separating blanks between word, facts, text and link. */
const GAPS = 6;
/** Short name of the method that judged. */
export const JUDGED_BY: Record<Verdict['method'], string> = {
  llm: 'model',
  heuristic: 'rules',
  demonstration: 'demo',
};

/** Returns the column headings of verdict lines. */
export function verdictHeader({ colors }: Pick<Terminal, 'colors'>): string {
  return colors.dim(`${'verdict'.padEnd(COLUMN.word)}  ${facts('answer', 'conf', 'by', 'kind')}  alert`);
}

/** `<word>  <answer>  0.85  model  <kind of case>  <text>  <link>`. */
export function verdictLine(
  decided: DecidedCase,
  { colors, width }: Pick<Terminal, 'colors' | 'width'>,
): string {
  const { verdict, shown, playbook, link } = decided;
  const { confidence, method, disposition } = verdict;
  const middle = facts(
    excerpt(shown.answer, COLUMN.answer),
    shown.confidenceApplies ? confidence.toFixed(2) : '-',
    JUDGED_BY[method],
    excerpt(playbook, 40),
  );
  const usedWidth = COLUMN.word + middle.length + link.length + GAPS;
  const room = Math.max(SHORTEST_EXCERPT, Math.min(LONGEST_EXCERPT, width - usedWidth));
  const settled = shown.summary === '' ? '' : `${oneLine(shown.summary)} · `;
  const text = excerpt(`${degradedMark(verdict)}${settled}${decided.text}`, room) || '(no text)';
  const word = paint(colors, disposition, excerpt(shown.word, COLUMN.word).padEnd(COLUMN.word));
  return `${word}  ${middle}  ${text.padEnd(room)}  ${colors.dim(link)}`;
}

function facts(answer: string, confidence: string, by: string, kind: string): string {
  const columns: [text: string, width: number][] = [
    [answer, COLUMN.answer],
    [confidence, COLUMN.confidence],
    [by, COLUMN.by],
    [kind, COLUMN.playbook],
  ];
  return columns.map(([text, width]) => text.padEnd(width)).join('  ');
}

/**
 * Returns `[model out] `: a short note on what a degraded verdict lacked; empty if nothing was missing. The
 * tally reports a missing model configuration once for all verdicts.
 */
function degradedMark({ degraded, degradedNote }: DecidedCase['verdict']): string {
  return degraded ? `[${oneLine(degradedNote) || 'degraded'}] ` : '';
}

/** Returns counts per disposition and method: `4 act, 3 review, 5 dismiss; 12 by rules; 3 degraded`. */
export function tally(decided: readonly DecidedCase[]): string {
  const count = (is: (verdict: DecidedCase['verdict']) => boolean) =>
    decided.filter(({ verdict }) => is(verdict)).length;
  const dispositions = (['act', 'review', 'dismiss'] as const).map(
    (name) => `${count(({ disposition }) => disposition === name)} ${name}`,
  );
  const judges = [
    [count(({ method }) => method === 'llm'), 'by the model'],
    [count(({ method }) => method === 'demonstration'), 'by hand-written demonstration answers'],
    [count(({ method }) => method === 'heuristic'), 'by rules'],
  ] as const;
  const by = judges.filter(([number]) => number > 0).map(([number, who]) => `${number} ${who}`);
  const degraded = count((verdict) => verdict.degraded);
  const lacking = degraded === 0 ? '' : `; ${degraded} degraded, marked with what was missing`;
  return `${dispositions.join(', ')}; ${by.join(', ')}${lacking}`;
}

/** Returns the total cost of model calls; null: no call was made. */
export function costLine(decided: readonly DecidedCase[]): string | null {
  const sum = (of: (cost: DecidedCase['cost']) => number) =>
    decided.reduce((total, { cost }) => total + of(cost), 0);
  const calls = sum((cost) => cost.calls);
  if (calls === 0) return null;
  const usd = sum((cost) => cost.usd);
  const amount = usd > 0 && usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2);
  return `${calls} model calls, ${sum((cost) => cost.tokens).toLocaleString('en')} tokens, $${amount}`;
}

/** Returns the missing configuration, most needed first; null: nothing is missing. */
export function missingLine(decided: readonly DecidedCase[]): string | null {
  const forModel = decided.filter(({ wants }) => wants.model).length;
  const model = `${forModel} of ${decided.length} verdicts lack a model: set OPENAI_API_KEY, or start with --demo to see hand-written answers`;
  const counts = new Map<string, number>();
  for (const name of decided.flatMap(({ wants }) => wants.settings))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const lookUps = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${count} look-ups need ${name}`);
  const parts = [...(forModel === 0 ? [] : [model]), ...lookUps];
  return parts.length === 0 ? null : `${parts.join('; ')}.`;
}

function paint(colors: Colors, disposition: string, text: string): string {
  if (disposition === 'act') return colors.red(text);
  return disposition === 'review' ? colors.yellow(text) : colors.green(text);
}
