import type { ReadProblem } from '@casefile/contracts';
import { cutSentences } from '@casefile/pipeline/language/cut-sentences';
import { inLine } from '@casefile/pipeline/plain-text';
import { RecordFigures, tokensWithDigits } from '@casefile/pipeline/reading/index';
import type { Read } from './look-ups.js';

/** Sources with which the sentences of a model are compared. */
export interface Ground {
  reads: readonly Read[];
  /** The alert as it is shown, and, for steps, the runbook. */
  known: readonly string[];
  /** Ids of look-ups that proven causes cite: sentences about these causes rest on them as well. */
  ofCauses?: readonly string[];
  /** Id of the runbook; null: there is none. */
  runbookId: string | null;
}

/** A sentence with its unproven ids or figures; null: each id and figure of the sentence is on the record. */
export interface CheckedSentence {
  text: string;
  why: string | null;
}

const IDS = /\[(E\d{1,4}(?:[ ,;]{1,3}E\d{1,4}){0,20})\]/g;
const PROBLEMS: Partial<Record<ReadProblem, string>> = {
  unknown_id: 'nothing has this id',
  look_up_failed: 'the look-up failed',
};

/** Returns the sentences of a model's text, each with its ids and figures that are not on the record. */
export function checkSentences(text: string, ground: Ground): CheckedSentence[] {
  const figures = figuresBy(ground);
  return [...cutSentences(text)].flatMap((sentence) => {
    const line = inLine(sentence, 2_000);
    return line === '' ? [] : [{ text: line, why: whyUnproven(line, ground, figures) }];
  });
}

type Figures = (id: string | null) => RecordFigures[];

/** Figures of each source are read once, and only if they are needed. */
function figuresBy({ reads, known }: Ground): Figures {
  const made = new Map<string, RecordFigures>();
  const of = (key: string, text: string): RecordFigures => {
    const before = made.get(key);
    if (before !== undefined) return before;
    const figures = new RecordFigures(text);
    made.set(key, figures);
    return figures;
  };
  return (id) => [
    of('known', known.join('\n')),
    ...reads.filter((read) => id === null || read.id === id).map((read) => of(read.id, read.text)),
  ];
}

function whyUnproven(
  line: string,
  { reads, runbookId, ofCauses = [] }: Ground,
  figures: Figures,
): string | null {
  const ids = [...line.matchAll(IDS)].flatMap(([, list = '']) => list.match(/E\d{1,4}/g) ?? []);
  for (const id of ids) {
    const problem = id === runbookId ? null : problemOfId(id, reads);
    if (problem !== null) return `[${id}]: ${PROBLEMS[problem]}`;
  }
  const sources = ids.length === 0 ? figures(null) : [...ids, ...ofCauses].flatMap(figures);
  const missing = tokensWithDigits(line.replace(IDS, ' ')).find(
    (token) => !sources.some((source) => source.has(token)),
  );
  if (missing === undefined) return null;
  return `“${missing}” is in nothing that ${ids.length === 0 ? 'was read' : 'it cites'}`;
}

function problemOfId(id: string, reads: readonly Read[]): ReadProblem | null {
  const read = reads.find((one) => one.id === id);
  if (read === undefined) return 'unknown_id';
  return read.gap === null ? null : 'look_up_failed';
}
