import { asCasefileError, CasefileError } from '@casefile/contracts';
import type { ModelReasoning } from '@casefile/contracts';

/** Fields of a chat message in which servers return reasoning, in the order in which they are looked at. S2-10. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;
const DEFAULT_TAGS: readonly string[] = ['thinking', 'think'];
const SUMMARY_CODE_POINTS = 200;

/** An answer taken apart. */
export interface ExtractedAnswer {
  /** Without reasoning blocks; exactly as it came when there were none. */
  content: string;
  reasoning: ModelReasoning | null;
  /** Set when the extraction itself failed: `content` is then the raw answer, and this is to be logged. S2-13. */
  error?: CasefileError;
}

/**
 * Separates the model's reasoning from its answer: the provider's own field first, then tags. S2-10 to S2-13.
 * Blocks of tags are taken out of the answer in both cases. Never throws.
 * @param fields the message as received; its reasoning fields are looked up in it.
 */
export function extractReasoning(content: string, fields: object = {}, tags = DEFAULT_TAGS): ExtractedAnswer {
  try {
    const own = fromField(fields);
    const split = splitTags(content, tags);
    return { content: split.content, reasoning: own ?? asReasoning(split.blocks) };
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

/** The first 200 characters (whole code points) and `...` when there are more, else all of it. S2-12. */
export function summarise(reasoning: string): string {
  let end = 0;
  let count = 0;
  for (const character of reasoning) {
    if (count === SUMMARY_CODE_POINTS) return `${reasoning.slice(0, end)}...`;
    end += character.length;
    count += 1;
  }
  return reasoning;
}

function fromField(fields: object): ModelReasoning | null {
  for (const source of REASONING_FIELDS) {
    const value: unknown = Reflect.get(fields, source);
    if (typeof value === 'string' && value.trim() !== '') return { content: value.trim(), source };
  }
  return null;
}

function asReasoning(blocks: string[]): ModelReasoning | null {
  const content = blocks.filter((block) => block !== '').join('\n\n');
  return content === '' ? null : { content, source: 'tags' };
}

function splitTags(content: string, tags: readonly string[]): { content: string; blocks: string[] } {
  if (tags.length === 0) return { content, blocks: [] };
  const names = tags.map((tag) => tag.replace(/[^A-Za-z0-9_-]/g, '\\$&')).join('|');
  // A block ends at its own closing tag or, when the answer was cut, at the end of the text.
  const block = new RegExp(`<(${names})>([\\s\\S]*?)(?:</\\1>|$)`, 'gi');
  const blocks: string[] = [];
  let found = false;
  const rest = content.replace(block, (_all, _tag: string, inner: string) => {
    found = true;
    blocks.push(inner.trim());
    return '';
  });
  return found ? { content: rest.trim(), blocks } : { content, blocks };
}
