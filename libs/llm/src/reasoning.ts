import { asCasefileError, CasefileError, type ModelReasoning } from '@casefile/contracts';
import { readHarmony } from './harmony.js';
import { DEFAULT_TAGS, splitTags, type ReasoningTag } from './reasoning-tags.js';

/** An answer separated into content and reasoning. */
export interface ExtractedAnswer {
  /** The content without reasoning blocks; unchanged if there were none. */
  content: string;
  reasoning: ModelReasoning | null;
  /** Set if the extraction failed. `content` is then the raw answer, and the caller logs this error. */
  error?: CasefileError;
}

/**
 * Separates the model's reasoning from its answer: the provider's own field first, then channels and tags.
 * Blocks of tags are removed from the answer in both cases. Never throws.
 * @param own reads the provider's own fields.
 */
export function extractReasoning(
  content: string,
  own: () => ModelReasoning | null = () => null,
  tags: readonly ReasoningTag[] = DEFAULT_TAGS,
): ExtractedAnswer {
  try {
    const ownReasoning = own();
    const harmony = readHarmony(content);
    const tagSplit = splitTags(harmony?.content ?? content, tags);
    const split = { content: tagSplit.content, blocks: [...(harmony?.thoughts ?? []), ...tagSplit.blocks] };
    const tagged = split.blocks.filter((block) => block !== '').join('\n\n');
    // Readable reasoning takes precedence over a mark that there is unreadable reasoning.
    if (tagged !== '' && (ownReasoning === null || ownReasoning.content === ''))
      return { content: split.content, reasoning: { content: tagged, kind: 'raw', source: 'tags' } };
    return { content: split.content, reasoning: ownReasoning };
  } catch (thrown) {
    const cause = asCasefileError(thrown);
    const error = new CasefileError(
      'reasoning_not_read',
      `The reasoning could not be read: ${cause.message}`,
      { cause },
    );
    return { content, reasoning: null, error };
  }
}
