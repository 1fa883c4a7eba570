import { textStems } from './content-words.js';

/** A section that a search found. */
export interface FoundNode {
  nodeId: string;
  title: string;
  page: number | null;
  text: string;
  /** Whether only part of the section's text was shown. */
  cut: boolean;
}

/** Exact words of a section. */
export interface FoundSpan {
  nodeId: string;
  text: string;
  page: number | null;
}

/** One reading of a fact. */
export interface Reading {
  id: string;
  name: string;
  value: string | number | boolean;
  unit: string | null;
  /** 0 to 1; null: not stated. */
  confidence: number | null;
}

const PAGE = String.raw`(?: \(pp?\. ?(\d+)(?:[^()\d][^()]*)?\))?`;
const NODE = new RegExp(String.raw`^\[([^\]\s]+)\] (.*?)${PAGE}$`);
const SPAN = new RegExp(String.raw`^\[([^\]\s]+)\] "(.*)"${PAGE}$`);
const FACT =
  /^fact (\S+?)(?:: (\S+))? = (.*?)(?: \(confidence ([\d.]+)(?:[^()\d.][^()]*)?(?:\([^()]*\)[^()]*)*\))?$/;
const NO_FACT = /^no fact named "(.*?)"/gm;
const AMOUNT = /^(-?\d[\d,]*(?:\.\d+)?)(?: (\S+))?$/;

/** Parses `[0042] 4.1 Notice of claims (p. 3)`, followed by the section's indented text. */
export function nodesIn(observation: string): FoundNode[] {
  const nodes: FoundNode[] = [];
  for (const line of observation.split('\n')) {
    const [, nodeId, title = '', page] = NODE.exec(line) ?? [];
    const last = nodes.at(-1);
    if (nodeId !== undefined && !SPAN.test(line))
      nodes.push({ nodeId, title, page: pageOf(page), text: '', cut: false });
    else if (last !== undefined && line.startsWith('  ')) last.text += `${line.slice(2)}\n`;
  }
  return nodes.map((node) => {
    const text = node.text.trimEnd();
    return { ...node, text: whole(text), cut: isCut(text) };
  });
}

/** Parses lines such as `[0042] "exact words" (p. 3)`. */
export function spansIn(observation: string): FoundSpan[] {
  return observation.split('\n').flatMap((line) => {
    const [, nodeId, text = '', page] = SPAN.exec(line) ?? [];
    return nodeId === undefined || text === '' ? [] : [{ nodeId, text: whole(text), page: pageOf(page) }];
  });
}

/**
 * Parses `fact loss_date#1 = 2026-04-02 (confidence 0.97, claim-form.pdf p. 1)`, with `: name` if the id
 * differs.
 */
export function readingsIn(observation: string): Reading[] {
  return observation.split('\n').flatMap((line) => {
    const [, id, factName, written = '', confidence] = FACT.exec(line) ?? [];
    if (id === undefined) return [];
    const name = factName ?? id.replace(/#\d+$/, '');
    return [
      {
        id,
        name,
        ...writtenValue(written),
        confidence: confidence === undefined ? null : Number(confidence),
      },
    ];
  });
}

/** Returns the requested names without a known fact. */
export function missingIn(observation: string): string[] {
  return [...observation.matchAll(NO_FACT)].map(([, name = '']) => name);
}

/** Returns the exact words that are known: spans of sections that were tightened, sentences of all others. */
export function wordsShown({ spans, nodes }: { spans: FoundSpan[]; nodes: FoundNode[] }): FoundSpan[] {
  const tightened = new Set(spans.map(({ nodeId }) => nodeId));
  return [...spans, ...nodes.filter(({ nodeId }) => !tightened.has(nodeId)).flatMap(sentences)];
}

function sentences({ nodeId, page, text }: FoundSpan): FoundSpan[] {
  const parts = text.split(/(?<=[.!?])\s+|\n+/).filter((part) => textStems(part).size > 2);
  return parts.map((part) => ({ nodeId, page, text: part.trim() }));
}

/** Shortens a cut text to its last whole word, because a partial word could not be quoted. */
function whole(text: string): string {
  return isCut(text)
    ? text
        .slice(0, -1)
        .replace(/(?<!\S)\S+$/, '')
        .replace(/(?<![\s,;:])[\s,;:]+$/, '')
    : text;
}

/** Returns whether a text is the beginning of a longer text. */
export function isCut(text: string): boolean {
  return text.endsWith('…');
}

function pageOf(page: string | undefined): number | null {
  return page === undefined ? null : Number(page);
}

function writtenValue(written: string): Pick<Reading, 'value' | 'unit'> {
  if (written === 'true' || written === 'false') return { value: written === 'true', unit: null };
  const [, digits, unit = null] = AMOUNT.exec(written) ?? [];
  return digits === undefined
    ? { value: written, unit: null }
    : { value: Number(digits.replaceAll(',', '')), unit };
}
