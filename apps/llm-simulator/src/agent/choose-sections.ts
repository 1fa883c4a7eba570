import type { Answer } from '../answer.js';
import { fencedAfter, outsideText, withoutFenced } from '../outside-text.js';
import { textOf } from '../question.js';
import type { Question } from '../question.js';
import { stemsOf } from './content-words.js';

/** Sections that are chosen when the prompt names no limit. */
const USUAL_LIMIT = 4;
const LIMIT = /\b(?:at most|up to|no more than)\s+(\d+)|\b(\d+)\s+(?:sections?|ids?|node ids?)\s+at most\b/i;
const SECTION = /^\s*\[([^\]\s]+)\](.*)$/;

/** Does the prompt ask which sections of a document are worth a look? */
export function asksForSections(question: Question): boolean {
  if (JSON.stringify(question.schema ?? {}).includes('"nodeIds"')) return true;
  return question.tools.length === 0 && sayingOf(question).includes('"nodeIds"');
}

/** The sections that share the most words with the question, the best first; words that few sections have decide a tie. */
export function sectionsOf(question: Question): Answer {
  const prompt = textOf(question, 'user');
  const asked = stemsOf(fencedAfter(prompt, 'Question') ?? '');
  const offered = (fencedAfter(prompt, 'Sections') ?? outsideText(prompt)).split('\n').flatMap((line) => {
    const [, nodeId, text = ''] = SECTION.exec(line) ?? [];
    return nodeId === undefined ? [] : [{ nodeId, stems: stemsOf(text) }];
  });
  const having = new Map<string, number>();
  for (const stem of offered.flatMap(({ stems }) => [...stems]))
    having.set(stem, (having.get(stem) ?? 0) + 1);
  const scored = offered.map(({ nodeId, stems }, at) => {
    const common = [...stems].filter((stem) => asked.has(stem));
    return {
      nodeId,
      at,
      common: common.length,
      rare: common.reduce((sum, stem) => sum + 1 / (having.get(stem) ?? 1), 0),
    };
  });
  const nodeIds = scored
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common || b.rare - a.rare || a.at - b.at)
    .slice(0, limitIn(question))
    .map(({ nodeId }) => nodeId);
  const reasoning = `Simulated reasoning: ${nodeIds.length} of ${offered.length} sections share words with the question.`;
  return { content: JSON.stringify({ nodeIds }), reasoning };
}

/** What the prompt says outside its fences. */
function sayingOf(question: Question): string {
  return withoutFenced(textOf(question, 'system', 'user'));
}

function limitIn(question: Question): number {
  const [, before, after] = LIMIT.exec(sayingOf(question)) ?? [];
  return Number(before ?? after ?? USUAL_LIMIT);
}
