import { CasefileError, type Json, type JsonObject } from '@casefile/contracts';
import { evidenceLines, fencedAfter, outsideText } from '@casefile/llm-simulator/outside-text';
import { textOf, type Question } from '@casefile/llm-simulator/question';
import type { BehaviourInput } from '@casefile/llm-simulator/script';
import type { WrittenAnswer, WrittenAnswers, WrittenTurn } from './written-answers.js';

/** How long a played answer takes, so that the pipeline can be seen at work, in milliseconds. */
const DELAY_MS = 250;
/** Letters and digits by which a message is known in its prompt, which may cut it and marks what is hidden in it. */
const KNOWN_BY = 60;

type Played = Extract<BehaviourInput, { kind: 'answer' }>;

/**
 * Finds what was written for a question and answers as a model would.
 * @throws CasefileError `nothing_written`: the question is none of a sample, or the answer speaks of evidence that the
 * prompt does not have.
 */
export function playAnswers(written: WrittenAnswers, question: Question): Played {
  const prompt = textOf(question, 'user');
  const search = fencedAfter(prompt, 'Question');
  if (search !== undefined && fencedAfter(prompt, 'Sections') !== undefined)
    return sectionsFor(written, search, prompt);
  const criterion = fencedAfter(prompt, 'Criterion');
  if (criterion !== undefined) return turnOf(written, criterion, question);
  return answerTo(written, prompt);
}

function answerTo({ messages }: WrittenAnswers, prompt: string): Played {
  const shown = lettersOf(outsideText(prompt));
  const found = messages.find(({ sample, reads }) => shown.includes(knownBy(reads ?? sample)));
  const again = prompt.includes('You were asked this before');
  const answer = needed(found, 'this message').answers[again ? 1 : 0];
  return { ...played(needed(answer, 'this message asked again').think), content: contentOf(answer, prompt) };
}

function contentOf(answer: WrittenAnswer | undefined, prompt: string): string {
  if (answer === undefined || 'text' in answer) return answer?.text ?? '';
  return JSON.stringify(filled(answer.answer, prompt));
}

function turnOf({ cases }: WrittenAnswers, criterion: string, question: Question): Played {
  const prompt = textOf(question, 'user');
  const title = /^case: (.*)$/m.exec(fencedAfter(prompt, 'About') ?? '')?.[1] ?? '';
  const ofCase = cases.find((one) => one.case === title)?.criteria ?? [];
  const { turns } = needed(
    ofCase.find((one) => one.criterion === criterion.trim()),
    `"${criterion}" of "${title}"`,
  );
  const taken = question.turns.filter(({ role }) => role === 'assistant').length;
  const turn = needed(turns[taken], `turn ${taken + 1} of "${criterion}"`);
  const seen = textOf(question, 'user', 'tool');
  const toolCalls = callsOf(turn).map(([name, args], index) => ({
    id: `call_demonstration_${taken + 1}_${index + 1}`,
    name,
    arguments: JSON.stringify(filled(args, seen)),
  }));
  return { ...played(turn.think), toolCalls };
}

function callsOf(turn: WrittenTurn): [name: string, args: JsonObject][] {
  if ('look' in turn) return turn.look.flatMap((calls) => Object.entries(calls));
  const citations = turn.finish.citations.map((citation) =>
    'quote' in citation
      ? { kind: 'quote', nodeId: `{section ${citation.section}}`, quote: citation.quote }
      : { kind: 'fact', ...citation },
  );
  return [['finish', { ...turn.finish, citations } as JsonObject]];
}

function sectionsFor({ searches }: WrittenAnswers, query: string, prompt: string): Played {
  const { think, sections } = needed(
    searches.find((one) => one.query === query.trim()),
    `the search "${query}"`,
  );
  const nodeIds = sections.map((number) => `{section ${number}}`);
  return { ...played(think), content: JSON.stringify(filled({ nodeIds }, prompt)) };
}

const played = (reasoning: string): Played => ({
  kind: 'answer',
  content: '',
  delayMs: DELAY_MS,
  reasoning: reasoning.trim(),
});

/** `{tool value}`, `{section 4.1}`, `{pattern Title}`. */
const REFERENCE = /\{([a-z_]+) ([^{}]+)\}/g;

/** A value with what its references stand for in a prompt; of a list, those that stand for nothing that may be left out are. */
function filled(value: Json, prompt: string): Json {
  if (typeof value === 'string')
    return value.replaceAll(REFERENCE, (_whole, kind: string, name: string) => idOf(kind, name, prompt));
  if (Array.isArray(value))
    return value.flatMap((one) => (isAbsentPattern(one, prompt) ? [] : [filled(one, prompt)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, part === undefined ? null : filled(part, prompt)]),
  );
}

function idOf(kind: string, name: string, prompt: string): string {
  if (kind === 'section') {
    const line = new RegExp(`^[ \\t]*\\[([^\\]\\s]+)\\] ${name.replace('.', '\\.')} `, 'm');
    return needed(line.exec(prompt)?.[1], `section ${name}, which was not found`);
  }
  if (kind === 'pattern') return needed(patternIn(name, prompt), `the pattern "${name}"`);
  const line = evidenceLines(prompt).find(
    ({ text }) => text.includes(` ${kind} on `) && text.includes(` ${name}:`),
  );
  return needed(line?.id, `evidence of ${kind} on ${name}, which this run does not have`);
}

// Which patterns are alike is for the embedder to say, and another one is another's choice.
function isAbsentPattern(value: Json, prompt: string): boolean {
  const [, title] = (typeof value === 'string' && /^\{pattern ([^{}]+)\}$/.exec(value)) || [];
  return title !== undefined && patternIn(title, prompt) === undefined;
}

function patternIn(title: string, prompt: string): string | undefined {
  const line = prompt.split('\n').find((one) => one.includes(`pattern "${title}"`));
  return line === undefined ? undefined : /^(\d+)\./.exec(line)?.[1];
}

function knownBy(text: string): string {
  return Array.from(lettersOf(text)).slice(0, KNOWN_BY).join('');
}

function lettersOf(text: string): string {
  return text.replaceAll(/⟨U\+[0-9A-F]+⟩|[^\p{L}\p{N}]/gu, '').toLowerCase();
}

function needed<T>(found: T | undefined, what: string): T {
  if (found !== undefined) return found;
  throw new CasefileError('nothing_written', `No demonstration answer was written for ${what}.`);
}
