import { CasefileError, type Json } from '@casefile/contracts';
import { evidenceLines } from './outside-text.js';

/** Delay of a written answer in milliseconds, so that people can watch the pipeline at work. */
const DELAY_MS = 250;

/** A written answer in the form of a model's answer. */
export interface PlayedAnswer {
  kind: 'answer';
  content: string;
  delayMs: number;
  reasoning: string;
  toolCalls?: { id: string; name: string; arguments: string }[];
}

/** Returns an answer that has this reasoning and no content. */
export const demoAnswer = (reasoning: string): PlayedAnswer => ({
  kind: 'answer',
  content: '',
  delayMs: DELAY_MS,
  reasoning: reasoning.trim(),
});

/** `{tool value}`, `{section 4.1}`, `{pattern Title}`. */
const REFERENCE = /\{([a-z_]+) ([^{}]+)\}/g;

/**
 * Replaces the references in a value by the words of the prompt that they refer to. A list item that refers
 * to a missing pattern is left out.
 * @throws CasefileError `nothing_written` for any other reference without a counterpart in the prompt.
 */
export function fillReferences(value: Json, prompt: string): Json {
  if (typeof value === 'string')
    return value.replaceAll(REFERENCE, (_whole, kind: string, name: string) =>
      referenceId(kind, name, prompt),
    );
  if (Array.isArray(value))
    return value.flatMap((one) => (isAbsentPattern(one, prompt) ? [] : [fillReferences(one, prompt)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      part === undefined ? null : fillReferences(part, prompt),
    ]),
  );
}

function referenceId(kind: string, name: string, prompt: string): string {
  if (kind === 'section') {
    const line = new RegExp(`^[ \\t]*\\[([^\\]\\s]+)\\] ${name.replace('.', '\\.')} `, 'm');
    return requireFound(line.exec(prompt)?.[1], `section ${name}, which was not found`);
  }
  if (kind === 'pattern') return requireFound(patternIn(name, prompt), `the pattern "${name}"`);
  const line = evidenceLines(prompt).find(
    ({ text }) => text.includes(` ${kind} on `) && text.includes(` ${name}:`),
  );
  return requireFound(line?.id, `evidence of ${kind} on ${name}, which this run does not have`);
}

// The embedder decides which patterns are similar, so another embedder may not return this pattern.
function isAbsentPattern(value: Json, prompt: string): boolean {
  const [, title] = (typeof value === 'string' && /^\{pattern ([^{}]+)\}$/.exec(value)) || [];
  return title !== undefined && patternIn(title, prompt) === undefined;
}

function patternIn(title: string, prompt: string): string | undefined {
  const line = prompt.split('\n').find((one) => one.includes(`pattern "${title}"`));
  return line === undefined ? undefined : /^(\d+)\./.exec(line)?.[1];
}

/** Returns the value. @throws CasefileError `nothing_written` if the value is undefined. */
export function requireFound<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new CasefileError('nothing_written', `No demonstration answer was written for ${what}.`);
}
