const OPENING = /<<<DATA (\S+)\n/g;
const CLOSING = /\nDATA (\S+)>>>/g;
/** A line that begins with an evidence id, after its number, bullet or bracket. */
const EVIDENCE_LINE = /^[\s\-*#\d.)([]*(E\d{1,5})\b(.*)$/;

/** One line of evidence in a prompt. */
export interface EvidenceLine {
  id: string;
  text: string;
}

/**
 * A fenced part of a prompt. `from` and `to` are UTF-16 offsets around the fence and its marks; `text` is the
 * part between the marks.
 */
interface FencedPart {
  from: number;
  to: number;
  text: string;
}

/** Returns the fences of a prompt in order, in a single pass: an attacker can write any number of marks. */
function fencesIn(prompt: string): FencedPart[] {
  const closings = new Map<string, RegExpExecArray[]>();
  for (const closing of [...prompt.matchAll(CLOSING)].reverse()) {
    const mark = closing[1] ?? '';
    const own = closings.get(mark) ?? [];
    own.push(closing);
    closings.set(mark, own);
  }
  const fences: FencedPart[] = [];
  for (const { 0: opening, 1: mark = '', index } of prompt.matchAll(OPENING)) {
    if (index < (fences.at(-1)?.to ?? 0)) continue;
    const begin = index + opening.length;
    // Start offsets only grow, so closings before the current start can be dropped.
    const own = closings.get(mark) ?? [];
    while ((own.at(-1)?.index ?? Infinity) < begin) own.pop();
    const closing = own.at(-1);
    if (closing === undefined) continue;
    const to = closing.index + closing[0].length;
    fences.push({ from: index, to, text: prompt.slice(begin, closing.index) });
  }
  return fences;
}

/** Returns the prompt's text outside its fences. */
export function withoutFenced(prompt: string): string {
  const fences = fencesIn(prompt);
  const starts = [0, ...fences.map(({ to }) => to)];
  return starts.map((start, i) => prompt.slice(start, fences[i]?.from)).join('');
}

/** Returns the text inside the fences of a prompt; the whole prompt if it has no fence. */
export function outsideText(prompt: string): string {
  const fenced = fencesIn(prompt).map(({ text }) => text);
  return fenced.length === 0 ? prompt : fenced.join('\n');
}

/** Returns the text of the fence below a line that starts with this heading; undefined if there is none. */
export function fencedAfter(prompt: string, heading: string): string | undefined {
  const lines = new RegExp(`^[#* \\t]*${heading}\\b`, 'gm');
  const fences = fencesIn(prompt).reverse();
  for (const { index } of prompt.matchAll(lines)) {
    while ((fences.at(-1)?.from ?? Infinity) < index) fences.pop();
    const next = fences.at(-1);
    // Only the heading's own line may stand between heading and fence.
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

/** Returns a text without its evidence lines. */
export function withoutEvidence(text: string): string {
  return text
    .split('\n')
    .filter((line) => !EVIDENCE_LINE.test(line))
    .join('\n');
}
