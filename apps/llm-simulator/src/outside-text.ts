const FENCE = /<<<DATA (\S+)\n([\s\S]*?)\nDATA \1>>>/g;
/** A line that begins with an evidence id, after its number, bullet or bracket. */
const EVIDENCE_LINE = /^[\s\-*#\d.)([]*(E\d{1,5})\b(.*)$/;

/** One line of evidence in a prompt. */
export interface EvidenceLine {
  id: string;
  text: string;
}

/** What stands inside the fences of a prompt; the whole prompt when it has none. */
export function outsideText(prompt: string): string {
  const fenced = [...prompt.matchAll(FENCE)].map((match) => match[2] ?? '');
  return fenced.length === 0 ? prompt : fenced.join('\n');
}

/** What stands in the fence below a line that begins with this heading; undefined when there is none. */
export function fencedAfter(prompt: string, heading: string): string | undefined {
  const lines = new RegExp(`^[#*\\s]*${heading}\\b`, 'gm');
  for (const { index } of prompt.matchAll(lines)) {
    const [first] = prompt.slice(index).matchAll(FENCE);
    const between = first === undefined ? '' : prompt.slice(index, index + first.index).trim();
    // Nothing but the heading's own line may stand between them.
    if (first !== undefined && !between.includes('\n')) return first[2] ?? '';
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
