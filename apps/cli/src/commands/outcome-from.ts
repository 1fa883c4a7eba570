import { type JsonObject } from '@casefile/contracts';
import { wrongOption } from './option-values.js';

const YES_OR_NO: Record<string, boolean> = { true: true, false: false };

/** Returns the outcome that options `field=value` set. @throws InvalidInput for any other text. */
export function outcomeFrom(texts: readonly string[]): JsonObject {
  return Object.fromEntries(texts.map(assigned));
}

function assigned(text: string): [string, string | boolean] {
  const at = text.indexOf('=');
  if (at < 1) throw wrongOption('--outcome', `expected field=value, got ${text}`);
  const value = text.slice(at + 1);
  return [text.slice(0, at), YES_OR_NO[value] ?? value];
}
