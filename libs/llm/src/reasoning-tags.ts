/** A pair of marks around reasoning; a plain name stands for `<name>` and `</name>`. */
export type ReasoningTag = string | { open: string; close: string };

/** Tags and marks in which models are known to write their reasoning. Gemini: `thought`; Seed-OSS: `seed:think`; Magistral:
 * `[THINK]`; Command A: `<|START_THINKING|>`; Kimi-VL: `◁think▷`. */
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
 * every opening one ends a block that began with the text: some templates have the opening tag in the prompt. A text that is
 * JSON has no blocks, for what looks like a tag in it is a part of a value. In one pass, for answers may have megabytes.
 */
export function splitTags(content: string, tags: readonly ReasoningTag[]): SplitText {
  const found = tags.length === 0 ? [] : tagsIn(content, tags);
  const blocks: string[] = [];
  const rest: string[] = [];
  let at = 0;
  let index = 0;
  if (found.length > 0 && isJson(content)) return { content, blocks };
  if (found[0]?.closes === true) {
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
  // A name may have that of its vendor before it: `<seed:think>`.
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
