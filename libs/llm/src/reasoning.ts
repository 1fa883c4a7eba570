import { asCasefileError, CasefileError, type ModelReasoning } from '@casefile/contracts';

const DEFAULT_TAGS: readonly string[] = ['thinking', 'think'];

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
 * @param own looks the provider's own fields up.
 */
export function extractReasoning(
  content: string,
  own: () => ModelReasoning | null = () => null,
  tags = DEFAULT_TAGS,
): ExtractedAnswer {
  try {
    const found = own();
    const split = splitTags(content, tags);
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

/** A text taken apart at its reasoning tags. */
interface SplitText {
  /** Without the blocks, trimmed; exactly as it came when there were none. */
  content: string;
  blocks: string[];
}

interface Tag {
  name: string;
  closes: boolean;
  start: number;
  end: number;
}

/**
 * Takes the blocks of `tags` out of a text. S2-11. A block goes from an opening tag to the next closing one of the same
 * name; with no such, to that of another name, or to the end of the text (an answer that was cut). A closing tag before
 * every opening one ends a block that began with the text: some templates have the opening tag in the prompt. In
 * one pass, for answers may have megabytes.
 */
export function splitTags(content: string, tags: readonly string[]): SplitText {
  const found = tags.length === 0 ? [] : tagsIn(content, tags);
  const blocks: string[] = [];
  const rest: string[] = [];
  let at = 0;
  let index = 0;
  if (found[0]?.closes === true && !isJson(content)) {
    blocks.push(content.slice(0, found[0].start).trim());
    at = found[0].end;
    index = 1;
  }
  const closingAfter = closings(found);
  for (; index < found.length; index += 1) {
    const tag = found[index];
    if (tag === undefined || tag.closes) continue;
    rest.push(content.slice(at, tag.start));
    const close = closingAfter(index, tag.name);
    const closed = close === undefined ? undefined : found[close];
    blocks.push(content.slice(tag.end, closed?.start).trim());
    at = closed?.end ?? content.length;
    index = close ?? found.length;
  }
  if (blocks.length === 0) return { content, blocks };
  return { content: [...rest, content.slice(at)].join('').trim(), blocks };
}

function tagsIn(content: string, tags: readonly string[]): Tag[] {
  const names = tags.map((tag) => tag.replace(/[^A-Za-z0-9_-]/g, '\\$&')).join('|');
  const pattern = new RegExp(`<(/?)(${names})>`, 'gi');
  return Array.from(content.matchAll(pattern), (match) => ({
    name: (match[2] ?? '').toLowerCase(),
    closes: match[1] === '/',
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Where the block that opens at an index closes, by its own name or else by any; undefined: nowhere. */
function closings(found: Tag[]): (index: number, name: string) => number | undefined {
  const byName = new Map<string, number[]>();
  const any: number[] = [];
  for (let index = found.length - 1; index >= 0; index -= 1) {
    const tag = found[index];
    if (tag === undefined || !tag.closes) continue;
    const own = byName.get(tag.name) ?? [];
    own.push(index);
    byName.set(tag.name, own);
    any.push(index);
  }
  // Both lists run backwards; the places asked for only ever grow, so passed ones are dropped.
  const next = (list: number[] | undefined, index: number) => {
    while (list !== undefined && (list.at(-1) ?? Infinity) <= index) list.pop();
    return list?.at(-1);
  };
  return (index, name) => next(byName.get(name), index) ?? next(any, index);
}

/** An answer in JSON may speak of a closing tag within a text of it. */
function isJson(content: string): boolean {
  if (!/^\s*[[{]/.test(content)) return false;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}
