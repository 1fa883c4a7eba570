import { isObject, type Json } from '@casefile/contracts';
import { readJsonPath, valuesAt, type JsonPath } from './json-path.js';

/** Texts and the paths between them. */
export type TextTemplate = readonly (string | JsonPath)[];

/** Values of one path that are shown, in their order. */
const MOST_SHOWN = 20;
/** Labels of one object that are shown. */
const MOST_LABELS = 40;

const PLACE = /\{([^{}]{1,300})\}/g;

/** Reads a text such as `{kind}/{metadata.name}`. @returns null: a place between braces is no path. */
export function readTextTemplate(text: string): TextTemplate | null {
  const parts: (string | JsonPath)[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    const path = readJsonPath(match[1] ?? '');
    if (path === null) return null;
    parts.push(text.slice(end, match.index), path);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== '');
}

/** Fills a template. A path without a value is empty; several values have commas between them. */
export function filledText(template: TextTemplate, valuesOf: (path: JsonPath) => Json[]): string {
  return template
    .map((part) => (typeof part === 'string' ? part : shownValues(valuesOf(part))))
    .join('')
    .trim();
}

function shownValues(values: readonly Json[]): string {
  const shown = values
    .slice(0, MOST_SHOWN)
    .map(shownValue)
    .filter((text) => text !== '');
  return [...shown, ...(values.length > MOST_SHOWN ? ['...'] : [])].join(', ');
}

/** Returns a value as text: labels of an object as `name{a="b"}`, as Prometheus shows them. */
export function shownValue(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value)) return shownValues(value);
  if (!isObject(value)) return String(value);
  const { __name__: name, ...labels } = value;
  const shown = Object.entries(labels)
    .slice(0, MOST_LABELS)
    .map(([label, one]) => `${label}=${JSON.stringify(isObject(one) ? JSON.stringify(one) : one)}`);
  return `${typeof name === 'string' ? name : ''}{${shown.join(',')}}`;
}

/** Returns the first value of the first of these paths that leads to one that is neither null nor empty. */
export function firstValue(
  paths: readonly JsonPath[],
  valuesOf: (path: JsonPath) => Json[],
): Json | undefined {
  for (const path of paths) {
    const filled = valuesOf(path).find((value) => value !== null && value !== '');
    if (filled !== undefined) return filled;
  }
  return undefined;
}

/** Reads values of a row, or of one point of the row if the path begins with `point`. */
export function valuesIn(row: Json, point: Json | undefined): (path: JsonPath) => Json[] {
  return (path) =>
    point !== undefined && path[0] === 'point' ? valuesAt(point, path.slice(1)) : valuesAt(row, path);
}
