import { isObject, type JsonObject } from '@casefile/contracts';
import { jsonrepair } from 'jsonrepair';

/** More than any answer needs; what is longer is not searched for JSON. */
const MAX_CHARACTERS = 100_000;
/** The repair takes quadratic time on hostile answers (96 kB took 1.5 s): what is longer is not repaired. */
const MAX_REPAIRED = 20_000;
const MAX_BLOCKS = 10;

/**
 * The JSON object of an answer: bare, or in a fenced block with or without a language, or between the first and
 * the last brace (S1-24); well-formed ones first, then whatever can be repaired.
 */
export function jsonInAnswer(content: string): JsonObject | null {
  const candidates = candidatesOf(content.slice(0, MAX_CHARACTERS));
  return (
    firstObject(candidates, (text) => text) ??
    firstObject(
      candidates.filter((text) => text.length <= MAX_REPAIRED),
      jsonrepair,
    )
  );
}

function candidatesOf(content: string): string[] {
  const whole = content.replace(/^\ufeff/, '').trim();
  const open = whole.indexOf('{');
  const close = whole.lastIndexOf('}');
  const braced = open === -1 ? [] : [whole.slice(open, close > open ? close + 1 : undefined)];
  return [whole, ...fencedBlocks(whole), ...braced].filter((text) => text.includes('{'));
}

function fencedBlocks(content: string): string[] {
  const parts = content.split(/```|~~~/, MAX_BLOCKS * 2 + 1);
  // Odd parts stand inside a fence; the language is whatever comes before the first brace on the opening line.
  return parts
    .filter((_, i) => i % 2 === 1)
    .map((part) => part.replace(/^[ \t]*[\w+-]{0,20}[ \t]*\r?\n?/, '').trim());
}

// Both parsers say by throwing that a text is not JSON; then the next candidate is looked at.
function firstObject(candidates: string[], mend: (text: string) => string): JsonObject | null {
  for (const text of candidates) {
    const value = parsed(text, mend);
    if (isObject(value)) return value as JsonObject;
  }
  return null;
}

function parsed(text: string, mend: (text: string) => string): unknown {
  try {
    return JSON.parse(mend(text));
  } catch {
    return undefined;
  }
}
