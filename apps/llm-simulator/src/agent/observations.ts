/** A section that a search found. */
export interface FoundNode {
  nodeId: string;
  title: string;
  page: number | null;
  text: string;
  /** Is there more of its text than was shown? */
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
  /** 0..1; null: not said. */
  confidence: number | null;
}

const PAGE = String.raw`(?: \(pp?\. ?(\d+)(?:[^()\d][^()]*)?\))?`;
const NODE = new RegExp(String.raw`^\[([^\]\s]+)\] (.*?)${PAGE}$`);
const SPAN = new RegExp(String.raw`^\[([^\]\s]+)\] "(.*)"${PAGE}$`);
const FACT =
  /^fact (\S+?)(?:: (\S+))? = (.*?)(?: \(confidence ([\d.]+)(?:[^()\d.][^()]*)?(?:\([^()]*\)[^()]*)*\))?$/;
const NO_FACT = /^no fact named "(.*?)"/gm;
const AMOUNT = /^(-?\d[\d,]*(?:\.\d+)?)(?: (\S+))?$/;

/** `[0042] 4.1 Notice of claims (p. 3)`, and below it the section's text, indented. */
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

/** `[0042] "exact words" (p. 3)`, a line each. */
export function spansIn(observation: string): FoundSpan[] {
  return observation.split('\n').flatMap((line) => {
    const [, nodeId, text = '', page] = SPAN.exec(line) ?? [];
    return nodeId === undefined || text === '' ? [] : [{ nodeId, text: whole(text), page: pageOf(page) }];
  });
}

/** `fact loss_date#1 = 2026-04-02 (confidence 0.97, claim-form.pdf p. 1)`, with `: name` where the id does not say it. */
export function readingsIn(observation: string): Reading[] {
  return observation.split('\n').flatMap((line) => {
    const [, id, named, written = '', confidence] = FACT.exec(line) ?? [];
    if (id === undefined) return [];
    const name = named ?? id.replace(/#\d+$/, '');
    return [
      { id, name, ...valueOf(written), confidence: confidence === undefined ? null : Number(confidence) },
    ];
  });
}

/** Names that were asked for and are not on file. */
export function missingIn(observation: string): string[] {
  return [...observation.matchAll(NO_FACT)].map(([, name = '']) => name);
}

/** A text that was cut is no quote any more at its end: it goes back to the last whole word. */
function whole(text: string): string {
  return isCut(text)
    ? text
        .slice(0, -1)
        .replace(/(?<!\S)\S+$/, '')
        .replace(/(?<![\s,;:])[\s,;:]+$/, '')
    : text;
}

/** Is this the beginning of something longer? */
export function isCut(text: string): boolean {
  return text.endsWith('…');
}

function pageOf(page: string | undefined): number | null {
  return page === undefined ? null : Number(page);
}

function valueOf(written: string): Pick<Reading, 'value' | 'unit'> {
  if (written === 'true' || written === 'false') return { value: written === 'true', unit: null };
  const [, digits, unit = null] = AMOUNT.exec(written) ?? [];
  return digits === undefined
    ? { value: written, unit: null }
    : { value: Number(digits.replaceAll(',', '')), unit };
}
