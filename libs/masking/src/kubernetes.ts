import { flatMatches, type Steps } from './pieces.js';
import type { Range } from './ranges.js';

const KIND = /^[ \t-]*kind:\s*["']?Secret["']?\s*$/;
const SECTION = /^([ \t-]*)(?:data|stringData):\s*$/;
const KEY = /^["']?[\w.-]{1,253}["']?:/;
const BLOCK = /^[|>][-+]?$/;

/**
 * Returns the values of Kubernetes Secrets written as YAML: everything below `data` and `stringData` in a
 * document of that kind.
 */
export function* secretManifests(text: string): Steps<Range[]> {
  if (!text.includes('Secret')) return [];
  const found: Range[] = [];
  for (const { lines, isSecret } of yield* textDocuments(text))
    if (isSecret) for (const range of yield* lineValues(lines)) found.push(range);
  return found;
}

interface Line {
  line: string;
  at: number;
}

interface TextDocument {
  lines: Line[];
  isSecret: boolean;
}

/** Lines that are read between two steps. */
const LINES = 1_000;

// A list of objects is one document. The sections of all its objects are then masked, whatever their kinds.
function* textDocuments(text: string): Steps<TextDocument[]> {
  const documents: TextDocument[] = [{ lines: [], isSecret: false }];
  let at = 0;
  for (const [i, line] of text.split('\n').entries()) {
    if (/^---\s*$/.test(line)) documents.push({ lines: [], isSecret: false });
    else documents.at(-1)!.lines.push({ line, at });
    if (KIND.test(line)) documents.at(-1)!.isSecret = true;
    at += line.length + 1;
    if (i % LINES === 0) yield;
  }
  return documents;
}

function* lineValues(lines: readonly Line[]): Steps<Range[]> {
  const found: Range[] = [];
  let below: number | null = null;
  for (const [i, { line, at }] of lines.entries()) {
    if (i % LINES === 0) yield;
    const section = SECTION.exec(line);
    if (section !== null) {
      below = section[1]!.length;
      continue;
    }
    if (below === null || line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    if (indent <= below) {
      below = null;
      continue;
    }
    const key = KEY.exec(line.slice(indent))?.[0].length ?? 0;
    const value = line.slice(indent + key).trim();
    if (value === '' || BLOCK.test(value)) continue;
    const from = at + line.indexOf(value, indent + key);
    found.push([from, from + value.length]);
  }
  return found;
}

const AS_JSON = /\\{0,4}"kind\\{0,4}"\s{0,8}:\s{0,8}\\{0,4}"Secret\\{0,4}"/;
const JSON_SECTION = /"(?:data|stringData)\\{0,4}"\s{0,8}:\s{0,8}\{([^{}]{0,100000})\}/g;
/** Longest match of a section in characters. */
const LONGEST_SECTION = 101_000;
const JSON_VALUE = /:\s{0,8}\\{0,4}"([^"\\]{1,50000})/g;

/** Returns the values of Kubernetes Secrets written as JSON within other text. */
export function* secretObjects(text: string): Steps<Range[]> {
  if (!AS_JSON.test(text)) return [];
  const valuesOf = ([all, section = '']: RegExpExecArray, index: number) => {
    const from = index + all.lastIndexOf(section);
    return [...section.matchAll(JSON_VALUE)].map((value): Range => {
      const at = from + value.index + value[0].length - value[1]!.length;
      return [at, at + value[1]!.length];
    });
  };
  return yield* flatMatches(text, JSON_SECTION, valuesOf, { reach: LONGEST_SECTION });
}

/** A container's variable as YAML. Its name shows that the value on the next line is a secret. */
export const NAMED_VALUE =
  /\bname:[ \t]{0,8}["']?([\w.-]{1,100})["']?[ \t]{0,8}\r?\n[ \t]{0,80}value:[ \t]{0,8}["']?([^\n"']{1,4000})/g;
