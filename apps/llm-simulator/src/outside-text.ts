const OPENING = /<<<DATA (\S+)\n/g;
const CLOSING = /\nDATA (\S+)>>>/g;
/** A line that begins with an evidence id, after its number, bullet or bracket. */
const EVIDENCE_LINE = /^[\s\-*#\d.)([]*(E\d{1,5})\b(.*)$/;

/** One line of evidence in a prompt. */
export interface EvidenceLine {
  id: string;
  text: string;
}

/** A fenced part of a prompt: UTF-16 offsets from (within) and to (without), marks included, and what is between the marks. */
interface Fenced {
  from: number;
  to: number;
  text: string;
}

/** The fences of a prompt, in their order and in one pass: there are as many marks in it as somebody likes to write. */
function fencesIn(prompt: string): Fenced[] {
  const closings = new Map<string, RegExpExecArray[]>();
  for (const closing of [...prompt.matchAll(CLOSING)].reverse()) {
    const mark = closing[1] ?? '';
    const own = closings.get(mark) ?? [];
    own.push(closing);
    closings.set(mark, own);
  }
  const fences: Fenced[] = [];
  for (const { 0: opening, 1: mark = '', index } of prompt.matchAll(OPENING)) {
    if (index < (fences.at(-1)?.to ?? 0)) continue;
    const begin = index + opening.length;
    // The places asked for only grow, so passed ones are dropped.
    const own = closings.get(mark) ?? [];
    while ((own.at(-1)?.index ?? Infinity) < begin) own.pop();
    const closing = own.at(-1);
    if (closing === undefined) continue;
    const to = closing.index + closing[0].length;
    fences.push({ from: index, to, text: prompt.slice(begin, closing.index) });
  }
  return fences;
}

/** What a prompt says outside its fences. */
export function withoutFenced(prompt: string): string {
  const fences = fencesIn(prompt);
  const starts = [0, ...fences.map(({ to }) => to)];
  return starts.map((start, i) => prompt.slice(start, fences[i]?.from)).join('');
}

/** What stands inside the fences of a prompt; the whole prompt when it has none. */
export function outsideText(prompt: string): string {
  const fenced = fencesIn(prompt).map(({ text }) => text);
  return fenced.length === 0 ? prompt : fenced.join('\n');
}

/** What stands in the fence below a line that begins with this heading; undefined when there is none. */
export function fencedAfter(prompt: string, heading: string): string | undefined {
  const lines = new RegExp(`^[#* \\t]*${heading}\\b`, 'gm');
  const fences = fencesIn(prompt).reverse();
  for (const { index } of prompt.matchAll(lines)) {
    while ((fences.at(-1)?.from ?? Infinity) < index) fences.pop();
    const next = fences.at(-1);
    // Nothing but the heading's own line may stand between them.
    if (next !== undefined && !prompt.slice(index, next.from).trim().includes('\n')) return next.text;
  }
  return undefined;
}

export function evidenceLines(prompt: string): EvidenceLine[] {
  return prompt.split('\n').flatMap((line) => {
    const [, id, text] = EVIDENCE_LINE.exec(line) ?? [];
    return id === undefined ? [] : [{ id, text: text ?? '' }];
  });
}

/** A text without its evidence lines. */
export function withoutEvidence(text: string): string {
  return text
    .split('\n')
    .filter((line) => !EVIDENCE_LINE.test(line))
    .join('\n');
}
