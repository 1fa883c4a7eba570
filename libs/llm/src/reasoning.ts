import { asCasefileError, CasefileError, type ModelReasoning } from '@casefile/contracts';
import { readHarmony } from './harmony.js';
import { DEFAULT_TAGS, splitTags, type ReasoningTag } from './reasoning-tags.js';

/** An answer taken apart. */
export interface ExtractedAnswer {
  /** Without reasoning blocks; exactly as it came when there were none. */
  content: string;
  reasoning: ModelReasoning | null;
  /** Set when the extraction itself failed: `content` is then the raw answer, and this is to be logged. S2-13. */
  error?: CasefileError;
}

/**
 * Separates the model's reasoning from its answer: the provider's own field first, then channels and tags. S2-10 to S2-13.
 * Blocks of tags are taken out of the answer in both cases. Never throws.
 * @param own looks the provider's own fields up.
 */
export function extractReasoning(
  content: string,
  own: () => ModelReasoning | null = () => null,
  tags: readonly ReasoningTag[] = DEFAULT_TAGS,
): ExtractedAnswer {
  try {
    const found = own();
    const harmony = readHarmony(content);
    const tagSplit = splitTags(harmony?.content ?? content, tags);
    const split = { content: tagSplit.content, blocks: [...(harmony?.thoughts ?? []), ...tagSplit.blocks] };
    const tagged = split.blocks.filter((block) => block !== '').join('\n\n');
    // What can be read wins over the knowledge that there is something that cannot.
    if (tagged !== '' && (found === null || found.content === ''))
      return { content: split.content, reasoning: { content: tagged, kind: 'raw', source: 'tags' } };
    return { content: split.content, reasoning: found };
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
