import { judgeAll, type JudgedCase } from './measure.js';
import { LIES } from './read-set.js';
import type { SentenceCase } from './research-cases.js';
import type { TrustWorld } from './trust-world.js';

/**
 * Least shares of false sentences that the program must find, and the highest share of honest ones it may
 * flag.
 */
const LEAST = { figure: 0.95, comparative: 0.95, unit: 0.9, source: 0.7 } as const;
const MOST_HONEST = 0.03;
const WORST = 10;

/** Codes of findings of a cross-examination; every other finding is the program's own. */
const OF_EXAMINER = new Set(['claim_contradicted', 'claim_not_in_sources', 'not_cross_examined']);

interface Sentence extends SentenceCase {
  judged: JudgedCase;
}

/** Judges each sentence as a separate report, with an examiner that answers from the labels. */
export async function judgeSentences(world: TrustWorld, cases: readonly SentenceCase[]): Promise<Sentence[]> {
  const judgedCases = await judgeAll(
    world,
    cases.map(({ one }) => one),
    'labels',
  );
  return cases.map((sentence, at) => ({ ...sentence, judged: judgedCases[at]! }));
}

const isFlagged = ({ judged }: Sentence): boolean => judged.findings.some((code) => !OF_EXAMINER.has(code));
const isRemoved = ({ judged }: Sentence): boolean =>
  judged.findings.some((code) => OF_EXAMINER.has(code) && code !== 'not_cross_examined');

const KINDS = ['honest', ...LIES] as const;
const ofKind = (all: readonly Sentence[], kind: (typeof KINDS)[number], language?: 'zh' | 'en') =>
  all.filter(({ lie, ...one }) => (lie ?? 'honest') === kind && (language ?? one.language) === one.language);

/**
 * Returns a section of Markdown: how many sentences of each kind the program flags, and how many more the
 * examiner removes.
 */
export function sentencesReport(all: readonly Sentence[]): string {
  const share = (part: readonly Sentence[], whole: readonly Sentence[]): string =>
    whole.length === 0
      ? '-'
      : `${part.length} of ${whole.length} (${((100 * part.length) / whole.length).toFixed(1)} %)`;
  const lines = KINDS.map((kind) => {
    const own = ofKind(all, kind);
    const [zh, en] = [ofKind(all, kind, 'zh'), ofKind(all, kind, 'en')];
    return [
      kind,
      share(own.filter(isFlagged), own),
      share(zh.filter(isFlagged), zh),
      share(en.filter(isFlagged), en),
      share(
        own.filter((one) => isFlagged(one) || isRemoved(one)),
        own,
      ),
    ];
  });
  const head = [
    'sentences',
    'flagged by the program',
    'Chinese',
    'English',
    'flagged or removed by the examiner',
  ];
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `\n## Sentences of research\n\n${table}\n${worstOf(all)}`;
}

function worstOf(all: readonly Sentence[]): string {
  const sections = KINDS.flatMap((kind) => {
    const bad = ofKind(all, kind).filter((one) => isFlagged(one) === (kind === 'honest'));
    if (bad.length === 0) return [];
    const lines = bad.slice(0, WORST).map(({ one, judged }) => {
      const codes = judged.findings.filter((code) => !OF_EXAMINER.has(code));
      return `- ${one.id}: ${one.conclusion}${codes.length === 0 ? '' : ` {${[...new Set(codes)].join(', ')}}`}`;
    });
    return [`\n${kind === 'honest' ? 'honest, flagged' : `${kind}, not flagged`}:\n\n${lines.join('\n')}\n`];
  });
  return sections.join('');
}

/** Returns one sentence per missed figure. */
export function missedSentences(all: readonly Sentence[]): string[] {
  const honest = ofKind(all, 'honest');
  const flagged = honest.filter(isFlagged).length;
  const missed =
    flagged > MOST_HONEST * honest.length
      ? [`${flagged} of ${honest.length} honest sentences are flagged.`]
      : [];
  for (const [kind, least] of Object.entries(LEAST) as [keyof typeof LEAST, number][]) {
    const own = ofKind(all, kind);
    const caught = own.filter(isFlagged).length;
    if (caught < least * own.length) missed.push(`${caught} of ${own.length} lies of ${kind} are flagged.`);
  }
  return missed;
}
