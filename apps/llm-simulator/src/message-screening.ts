import type { Answer } from './answer.js';
import { fencedAfter, outsideText } from './outside-text.js';
import { textOf } from './question.js';
import type { Question } from './question.js';
import { cuesIn, signsIn } from './scam-verdict.js';

const CONFIDENCE = { none: 0.75, each: 0.12, high: 0.15, medium: 0.1, least: 0.3, most: 0.97 } as const;
const MATCH = /^(\d+)\. similarity [\d.]+ \((HIGH|MEDIUM)\); category (\S+);/gm;

/** Does the prompt ask for the answer of `message-screening`? */
export function asksForScreening(question: Question): boolean {
  const named = JSON.stringify(question.schema ?? {}).includes('"matchedPatterns"');
  return named || textOf(question, 'system', 'user').includes('matchedPatterns');
}

/** An answer by simple rules: cue words in the message, and the levels of the known patterns beside it. */
export function screeningOf(question: Question): Answer {
  const prompt = textOf(question, 'user');
  const [message = ''] = prompt.split(/\nKnown scam patterns/, 1);
  // Where rules have read the message their signs stand for cue words of one's own.
  const read = fencedAfter(prompt, 'What rules found in its words');
  const signs = signsIn(read ?? '');
  const cues = read === undefined ? cuesIn(outsideText(message)) : [];
  const found = cues.length + signs;
  const matches = [...prompt.matchAll(MATCH)].map(([, number, level, category]) => ({
    number: Number(number),
    level,
    category: category ?? 'other',
  }));
  const [first] = matches;
  const like = first === undefined ? 0 : first.level === 'HIGH' ? CONFIDENCE.high : CONFIDENCE.medium;
  const isScam = found >= 2 || (found === 1 && first !== undefined);
  const weight = CONFIDENCE.least + CONFIDENCE.each * found + like;
  const content = {
    isScam,
    confidence: isScam ? Math.min(Math.round(weight * 100) / 100, CONFIDENCE.most) : CONFIDENCE.none,
    primaryCategory: isScam ? (first?.category ?? 'other') : null,
    reasoning: `Simulated answer, made by rules and not by a language model: the message ${cues.length === 0 ? 'has none of the words of scams' : `says ${cues.slice(0, 5).join(', ')}`}; signs that rules found: ${signs}.`,
    matchedPatterns: isScam ? matches.map(({ number }) => number) : [],
    redFlags: [
      ...cues.map((cue) => `says "${cue}"`),
      ...Array.from({ length: signs }, (_, i) => `sign ${i + 1} that rules found`),
    ],
    legitimacyIndicators: isScam ? [] : ['few words of scams'],
  };
  const reasoning = 'Simulated reasoning: cue words and known patterns were weighed.';
  return { content: JSON.stringify(content), reasoning };
}
