import type { ReadProblem } from '@casefile/contracts';
import { cutSentences } from '@casefile/pipeline/language/cut-sentences';
import { inLine } from '@casefile/pipeline/plain-text';
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
/** A word with a digit in it: a figure, a time, a version or a name. */
const TOKEN = /[\p{L}\p{N}_]+(?:[.,:-][\p{L}\p{N}_]+)*/gu;
const NUMBER = /^(\d{1,3}(?:,\d{3})+|\d+)(?:[.,](\d+))?\p{L}{0,4}$/u;
const TIME = /^\d{1,2}:\d{2}/;
const MOST_TOKEN = 100;
const MOST_READ = 400_000;
/** Decimals to which a figure may be rounded. */
const ROUNDED = [0, 1, 2];

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

type Figures = (id: string | null) => KnownFigures[];

/** Figures of each source are read once, and only if they are needed. */
function figuresBy({ reads, known }: Ground): Figures {
  const made = new Map<string, KnownFigures>();
  const of = (key: string, text: string): KnownFigures => {
    const before = made.get(key);
    if (before !== undefined) return before;
    const figures = new KnownFigures(text);
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
  const missing = tokensIn(line.replace(IDS, ' ')).find(
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

function tokensIn(text: string): string[] {
  return (text.match(TOKEN) ?? []).filter((token) => /\p{N}/u.test(token) && token.length <= MOST_TOKEN);
}

/**
 * The figures and names of a source. A figure also matches in rounded form, a time without its seconds, and a
 * name by its beginning.
 */
class KnownFigures {
  private readonly numbers = new Set<string>();
  private readonly names = new Set<string>();

  constructor(text: string) {
    for (const token of tokensIn(text.slice(0, MOST_READ)))
      // Splits 2026-03-02T09:05:31Z, so that the time of day is known on its own.
      for (const part of token.toLowerCase().split(/(?<=\d)t(?=\d)/))
        this.add(part.replace(/^(\d{1,2}:[\d:.]{2,20})z$/, '$1'));
  }

  has(token: string): boolean {
    const name = token.toLowerCase();
    if (this.names.has(name)) return true;
    const parts = name.split('-');
    if (parts.length > 1 && parts.every((part) => /^[\d.,]+$/.test(part) && this.has(part))) return true;
    const hundreds = /^([1-5])xx$/.exec(name)?.[1];
    if (hundreds !== undefined)
      return [...this.numbers].some((one) => one.length === 3 && one.startsWith(hundreds));
    const number = tokenNumber(name);
    return number !== null && this.numbers.has(String(number));
  }

  private add(token: string): void {
    let name = '';
    // A name also counts as known by each of its beginnings, because people shorten names of pods:
    // checkout-7f9c of checkout-7f9c-x2x1z.
    for (const part of token.split(/(?=[-.,:_])/).slice(0, 12)) {
      name += part;
      this.names.add(name);
      this.names.add(part.replace(/^[-.,:_]/, ''));
    }
    this.names.add(token);
    for (const part of [token, ...token.split(/[-,:]/)]) {
      const number = tokenNumber(part);
      if (number === null) continue;
      this.numbers.add(String(number));
      for (const decimals of ROUNDED) this.numbers.add(String(Number(number.toFixed(decimals))));
    }
  }
}

/** A figure without its thousands and its unit; null: a name, a version or a time. */
function tokenNumber(token: string): number | null {
  if (TIME.test(token)) return null;
  const [, whole, decimals = '0'] = NUMBER.exec(token) ?? [];
  return whole === undefined ? null : Number(`${whole.replaceAll(',', '')}.${decimals}`);
}
