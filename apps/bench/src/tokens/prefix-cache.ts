import { createHash } from 'node:crypto';
import type { ModelRequest } from '@casefile/contracts';
import { CHARACTERS_A_TOKEN } from '@casefile/llm-simulator/usage-of';

/**
 * A provider reads a prefix of at least so many tokens from its cache, in steps: OpenAI's page on prompt caching.
 * Gemini's implicit cache begins at the same length.
 */
const SHORTEST_TOKENS = 1_024;
const STEP_TOKENS = 128;
const STEP = STEP_TOKENS * CHARACTERS_A_TOKEN;

/** The prompt cache of a provider that forgets nothing while it is asked. */
export class PrefixCache {
  /** Digests of all prefixes that end at a step. */
  private readonly known = new Set<string>();

  /** Returns how many tokens of the request the provider has read before, and remembers the request. */
  read(request: ModelRequest): number {
    const text = prefixText(request);
    let digest = '';
    let cached = 0;
    let isKnown = true;
    for (let at = STEP; at <= text.length; at += STEP) {
      digest = createHash('sha256')
        .update(digest)
        .update(text.slice(at - STEP, at))
        .digest('base64');
      isKnown &&= this.known.has(digest);
      if (isKnown) cached = at / CHARACTERS_A_TOKEN;
      this.known.add(digest);
    }
    return cached < SHORTEST_TOKENS ? 0 : cached;
  }
}

/** Returns the request in the order in which providers read it: schemas, then messages. */
export function prefixText({ tools = [], answerSchema, messages }: ModelRequest): string {
  const schemas = [...tools, ...(answerSchema === undefined ? [] : [answerSchema])];
  return [...schemas, ...messages].map((part) => JSON.stringify(part)).join('\n');
}
