/** A pair of marks around reasoning; a plain name stands for `<name>` and `</name>`. */
export type ReasoningTag = string | { open: string; close: string };

/**
 * Tags and marks in which models are known to write their reasoning. Gemini: `thought`; Seed-OSS:
 * `seed:think`; Magistral: `[THINK]`; Command A: `<|START_THINKING|>`; Kimi-VL: `◁think▷`.
 */
export const DEFAULT_TAGS: readonly ReasoningTag[] = [
  'thinking',
  'think',
  'thought',
  'thoughts',
  'reasoning',
  'reason',
  'reflection',
  'scratchpad',
  'antthinking',
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  { open: '<|think|>', close: '<|/think|>' },
  { open: '◁think▷', close: '◁/think▷' },
];

/** A text split at its reasoning tags. */
interface SplitText {
  /** The text without the blocks, trimmed; unchanged if there were none. */
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
 * Removes the blocks of `tags` from a text in one pass, because answers may have megabytes. A block reaches
 * from an opening tag to the next closing tag of the same name. Without one, it reaches to a closing tag of
 * another name, or to the end of a cut answer. A closing tag before every opening tag ends a block that began
 * with the text: some templates put the opening tag into the prompt. JSON has no blocks: a tag in it is part
 * of a value.
 */
export function splitTags(content: string, tags: readonly ReasoningTag[]): SplitText {
  const matches = tags.length === 0 ? [] : tagsIn(content, tags);
  const blocks: string[] = [];
  const rest: string[] = [];
  let at = 0;
  let index = 0;
  if (matches.length > 0 && isJson(content)) return { content, blocks };
  if (matches[0]?.closes === true) {
    blocks.push(content.slice(0, matches[0].start).trim());
    at = matches[0].end;
    index = 1;
  }
  const closingAfter = closings(matches);
  for (; index < matches.length; index += 1) {
    const tag = matches[index];
    if (tag === undefined || tag.closes) continue;
    rest.push(content.slice(at, tag.start));
    const close = closingAfter(index, tag.name);
    const closed = close === undefined ? undefined : matches[close];
    blocks.push(content.slice(tag.end, closed?.start).trim());
    at = closed?.end ?? content.length;
    index = close ?? matches.length;
  }
  if (blocks.length === 0) return { content, blocks };
  return { content: [...rest, content.slice(at)].join('').trim(), blocks };
}

const literal = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, '\\$&');

function tagsIn(content: string, tags: readonly ReasoningTag[]): Tag[] {
  const names = tags.filter((tag) => typeof tag === 'string');
  const pairs = tags.filter((tag) => typeof tag !== 'string');
  const marks = new Map<string, Pick<Tag, 'name' | 'closes'>>(
    pairs.flatMap(({ open, close }) => [
      [open.toLowerCase(), { name: open, closes: false }] as const,
      [close.toLowerCase(), { name: open, closes: true }] as const,
    ]),
  );
  // A tag name may have a vendor prefix: `<seed:think>`.
  const named = `<(/?)((?:[a-z][a-z0-9_-]{0,30}:)?(?:${names.map(literal).join('|')}))(?:\\s[^<>]{0,200})?>`;
  const all = [...(names.length > 0 ? [named] : ['()()(?!)']), ...[...marks.keys()].map(literal)];
  return Array.from(content.matchAll(new RegExp(all.join('|'), 'gi')), (match) => ({
    ...(marks.get(match[0].toLowerCase()) ?? {
      name: (match[2] ?? '').toLowerCase(),
      closes: match[1] === '/',
    }),
    start: match.index,
    end: match.index + match[0].length,
  }));
}
/** Returns the end of the block that opens at an index: a tag of its name, else any tag; undefined: none. */
function closings(tags: Tag[]): (index: number, name: string) => number | undefined {
  const byName = new Map<string, number[]>();
  const any: number[] = [];
  for (let index = tags.length - 1; index >= 0; index -= 1) {
    const tag = tags[index];
    if (tag === undefined || !tag.closes) continue;
    const own = byName.get(tag.name) ?? [];
    own.push(index);
    byName.set(tag.name, own);
    any.push(index);
  }
  // Both lists run backwards. The requested indexes only grow, so passed entries are dropped.
  const next = (list: number[] | undefined, index: number) => {
    while (list !== undefined && (list.at(-1) ?? Infinity) <= index) list.pop();
    return list?.at(-1);
  };
  return (index, name) => next(byName.get(name), index) ?? next(any, index);
}

/** An answer in JSON may contain a closing tag within one of its texts. */
function isJson(content: string): boolean {
  if (!/^\s*[[{]/.test(content)) return false;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}
