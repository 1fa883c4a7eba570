import { sentencesIn } from '@casefile/contracts';
import { readPrompt, textSections, type Prompt, type ReadPrompt } from './prompt.js';

/** Begins and ends the fence around text from outside. */
const FENCE_MARK = /<<<DATA|DATA \S{1,40}>>>/;
/** Number or dash before the text of a list item. */
const LIST_ITEM = /^\s*(?:\d{1,3}\.|-)\s+/;

/** A sentence that every version of a prompt must keep, and its section. */
interface SecuritySentence {
  section: string;
  sentence: string;
}

/**
 * Returns the security sentences of a shipped text: those that name the marks of the fence, and those that the
 * prompt's declaration lists under `keep`.
 */
export function securitySentences({ keep = [] }: Prompt, shipped: string): SecuritySentence[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  return textSections(shipped).flatMap(({ name, body }) => {
    const lines = body.split('\n').filter((line) => FENCE_MARK.test(line));
    const onFence = lines.flatMap((line) =>
      [...sentencesIn(line.replace(LIST_ITEM, ''), segmenter)]
        .map(({ segment }) => segment.trim())
        .filter((sentence) => FENCE_MARK.test(sentence)),
    );
    const kept = keep.filter((sentence) => body.includes(sentence));
    return [...new Set([...onFence, ...kept])].map((sentence) => ({ section: name, sentence }));
  });
}

/**
 * Checks a text that a person adds as a version: sections, placeholders, and every security sentence of the
 * shipped text, literally and in its section.
 */
export function checkVersion(
  prompt: Prompt,
  source: string,
  shipped: string,
): ReadPrompt<Prompt['sections']> {
  const read = readPrompt(prompt, source, shipped);
  if ('problems' in read) return read;
  const bodies = new Map(textSections(read.text.source).map(({ name, body }) => [name, body]));
  const missing = securitySentences(prompt, shipped).filter(
    ({ section, sentence }) => bodies.get(section)?.includes(sentence) !== true,
  );
  if (missing.length === 0) return read;
  return {
    problems: missing.map(
      ({ section, sentence }) => `section ${section}: expected the security sentence, unchanged: ${sentence}`,
    ),
  };
}
