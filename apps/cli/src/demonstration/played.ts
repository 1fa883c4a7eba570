import { CasefileError, type Json } from '@casefile/contracts';
import { evidenceLines } from '@casefile/llm-simulator/outside-text';
import type { BehaviourInput } from '@casefile/llm-simulator/script';

/** How long a played answer takes, so that the pipeline can be seen at work, in milliseconds. */
const DELAY_MS = 250;

/** A written answer as a model gives it. */
export type Played = Extract<BehaviourInput, { kind: 'answer' }>;

/** An answer without words, thought of like this. */
export const played = (reasoning: string): Played => ({
  kind: 'answer',
  content: '',
  delayMs: DELAY_MS,
  reasoning: reasoning.trim(),
});

/** `{tool value}`, `{section 4.1}`, `{pattern Title}`. */
const REFERENCE = /\{([a-z_]+) ([^{}]+)\}/g;

/**
 * A value with what its references stand for in a prompt; of a list, those that stand for nothing that may be left out are.
 * @throws CasefileError `nothing_written` for one that stands for nothing there.
 */
export function filled(value: Json, prompt: string): Json {
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

/** @throws CasefileError `nothing_written` where there is none. */
export function needed<T>(found: T | undefined, what: string): T {
  if (found !== undefined) return found;
  throw new CasefileError('nothing_written', `No demonstration answer was written for ${what}.`);
}
