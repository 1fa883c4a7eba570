import {
  isObject,
  spansOfObjects,
  type Json,
  type ModelToolCall,
  type ModelToolSpec,
} from '@casefile/contracts';
import { partOf, textIn } from './json-parts.js';
import { readArguments } from './reading.js';

type OfferedTools = readonly Pick<ModelToolSpec, 'name'>[];

/**
 * Returns the offered tool that a model's tool name refers to: the same name, or a name within it
 * (`functions.x`, `x:0`, `x<|channel|>commentary`, other letters or signs between words). If no tool or
 * several tools match, returns the name unchanged.
 */
export function toolNameFor(name: string, tools: OfferedTools): string {
  const names = tools.map((tool) => tool.name);
  if (names.includes(name)) return name;
  const bare = (name.split('<|')[0] ?? '').trim();
  const same = names.filter((one) => nameLetters(one) === nameLetters(bare));
  if (same.length === 1) return same[0]!;
  const within = names.filter((one) => standsIn(bare, one)).sort((a, b) => b.length - a.length);
  const [longest, next] = within;
  return longest !== undefined && longest.length > (next?.length ?? 0) ? longest : name;
}

const nameLetters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns whether the text contains the name between characters that no name contains. */
function standsIn(text: string, name: string): boolean {
  const at = text.toLowerCase().lastIndexOf(name.toLowerCase());
  const isPart = (character: string | undefined) => character !== undefined && /[\w-]/.test(character);
  return at !== -1 && !isPart(text[at - 1]) && !isPart(text[at + name.length]);
}

/** Words by which templates mark a tool call in the text of an answer. */
const MARKS =
  /<(?:tool_?calls?|function_?calls?|tool_use|invoke|function)[\s>=:]|\[TOOL_CALLS?\]|<\|python_tag\|>|<[|｜]tool[_▁]calls?|<\|channel\|>commentary[^<]{0,20}to=|<\|action_start\|>|\bto=functions\./i;
const NAME_KEYS = ['name', 'tool', 'tool_name', 'function', 'function_name', 'action'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'params', 'action_input'];
const MOST_CALLS = 50;
/** Most characters between a tool's name and its arguments: template marks, a fence, words of the model. */
const MOST_BETWEEN = 120;

/** The tool calls in the text of an answer, and the text before them. */
export interface CallsInText {
  calls: ModelToolCall[];
  content: string;
}

/**
 * Reads calls of offered tools from the text of an answer, for servers that do not parse them. Returns null
 * if there are none.
 */
export function callsInText(text: string, tools: OfferedTools): CallsInText | null {
  if (tools.length === 0 || text.trim() === '') return null;
  const spans = spansOfObjects(text);
  const asObjects = spans.flatMap(({ value, start }) =>
    callIn(value, tools).map((call) => ({ call, start })),
  );
  const mark = marksCalls(text);
  const named = asObjects.length > 0 || mark === null ? [] : afterNames(text, spans, tools);
  const calls =
    asObjects.length > 0 ? asObjects : named.length > 0 || mark === null ? named : asTags(text, tools);
  const [first] = calls;
  if (first === undefined) return null;
  const lead = text.slice(0, mark === null ? first.start : Math.min(mark, first.start));
  return {
    calls: calls.slice(0, MOST_CALLS).map(({ call }) => call),
    content: lead.replace(/(?:```|~~~)\w{0,20}\s*$|\[\s*$/, '').trim(),
  };
}

/** Returns the position of a call's mark in a text, or null if there is none. */
export function marksCalls(text: string): number | null {
  return MARKS.exec(text)?.index ?? null;
}

/** `{"name": ..., "arguments": {...}}`, also within a list or under a key, as several templates write it. */
function callIn(value: Json, tools: OfferedTools, level = 0): ModelToolCall[] {
  if (Array.isArray(value)) return value.flatMap((item) => callIn(item, tools, level + 1));
  if (!isObject(value) || level > 3) return [];
  const argsKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key));
  const nameKey = NAME_KEYS.find((key) => textIn(value, key) !== '');
  if (argsKey !== undefined && nameKey !== undefined) {
    const name = toolNameFor(textIn(value, nameKey), tools);
    const isOffered = tools.some((tool) => tool.name === name);
    return isOffered ? [{ id: textIn(value, 'id'), name, args: readArguments(value[argsKey]) }] : [];
  }
  const inner = ['tool_calls', 'tool_call', 'function', 'function_call', 'calls'];
  return inner.flatMap((key) => callIn(partOf(value, key) ?? null, tools, level + 1));
}

/** Calls written as a name followed by the object: Mistral, DeepSeek, Kimi, harmony, Llama. */
function afterNames(text: string, spans: ReturnType<typeof spansOfObjects>, tools: OfferedTools) {
  let before = 0;
  return spans.flatMap(({ value, start, end }) => {
    const between = text.slice(Math.max(before, start - MOST_BETWEEN), start);
    before = end;
    const named = tools
      .map(({ name }) => ({ name, at: standsIn(between, name) ? between.lastIndexOf(name) : -1 }))
      .filter(({ at }) => at !== -1)
      .sort((a, b) => b.at - a.at || b.name.length - a.name.length);
    const [nearest] = named;
    return nearest === undefined ? [] : [{ call: { id: '', name: nearest.name, args: value }, start }];
  });
}

const OPEN_TAG = /<(?:function|invoke|tool_call|tool)(?:=|\s+name=|\s+)["']?([\w.:-]{1,100})["']?\s*>/g;
const PARAMETER = /<(?:parameter|arg|argument)(?:=|\s+name=)["']?([\w.-]{1,100})["']?\s*>([^<]*)/g;

/** `<function=x><parameter=y>z</parameter></function>`: Qwen3-Coder, Anthropic's older form. */
function asTags(text: string, tools: OfferedTools) {
  const opened = [...text.matchAll(OPEN_TAG)];
  return opened.flatMap((match, i) => {
    const name = toolNameFor(match[1] ?? '', tools);
    if (!tools.some((tool) => tool.name === name)) return [];
    const body = text.slice(match.index + match[0].length, opened[i + 1]?.index);
    const args = Object.fromEntries(
      [...body.matchAll(PARAMETER)].map(([, key = '', value = '']) => [key, value.trim()]),
    );
    return [{ call: { id: '', name, args }, start: match.index }];
  });
}
