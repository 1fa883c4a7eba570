import type { Range } from './ranges.js';

const KIND = /^[ \t-]*kind:\s*["']?Secret["']?\s*$/;
const SECTION = /^([ \t-]*)(?:data|stringData):\s*$/;
const KEY = /^["']?[\w.-]{1,253}["']?:/;
const BLOCK = /^[|>][-+]?$/;

/**
 * Returns the values of Kubernetes Secrets written as YAML: everything below `data` and `stringData` in a
 * document of that kind.
 */
export function secretManifests(text: string): Range[] {
  if (!text.includes('Secret')) return [];
  const found: Range[] = [];
  for (const document of textDocuments(text)) {
    if (document.lines.some(({ line }) => KIND.test(line))) found.push(...lineValues(document.lines));
  }
  return found;
}

interface Line {
  line: string;
  at: number;
}

// A list of objects is one document. The sections of all its objects are then masked, whatever their kinds.
function textDocuments(text: string): { lines: Line[] }[] {
  const documents: { lines: Line[] }[] = [{ lines: [] }];
  let at = 0;
  for (const line of text.split('\n')) {
    if (/^---\s*$/.test(line)) documents.push({ lines: [] });
    else documents.at(-1)!.lines.push({ line, at });
    at += line.length + 1;
  }
  return documents;
}

function lineValues(lines: readonly Line[]): Range[] {
  const found: Range[] = [];
  let below: number | null = null;
  for (const { line, at } of lines) {
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
const JSON_VALUE = /:\s{0,8}\\{0,4}"([^"\\]{1,50000})/g;

/** Returns the values of Kubernetes Secrets written as JSON within other text. */
export function secretObjects(text: string): Range[] {
  if (!AS_JSON.test(text)) return [];
  return [...text.matchAll(JSON_SECTION)].flatMap((section) => {
    const from = section.index + section[0].lastIndexOf(section[1]!);
    return [...section[1]!.matchAll(JSON_VALUE)].map((value): Range => {
      const at = from + value.index + value[0].length - value[1]!.length;
      return [at, at + value[1]!.length];
    });
  });
}

/** A container's variable as YAML. Its name shows that the value on the next line is a secret. */
export const NAMED_VALUE =
  /\bname:[ \t]{0,8}["']?([\w.-]{1,100})["']?[ \t]{0,8}\r?\n[ \t]{0,80}value:[ \t]{0,8}["']?([^\n"']{1,4000})/g;
