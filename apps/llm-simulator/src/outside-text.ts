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
