import type { Json, JsonObject, TaskModule } from '@casefile/contracts';
import { badAnswer, isTooDeep } from '../fetch/read-json.js';
import { readJsonPath, valuesAt, type JsonPath } from './json-path.js';
import type { AnswerSpec, PagesAnswer, RowsAnswer } from './answer-schema.js';
import { filledText, firstValue, readTextTemplate, shownValue, valuesIn } from './text-template.js';

/** Instructions to read an answer. */
export interface ReadAnswerArgs {
  /** Host that answered, for errors. */
  host: string;
  answer: AnswerSpec;
  /** Most rows or lines. */
  rows: number;
}

/** Longest line of a finding, in UTF-16 units. */
const MOST_LINE = 1_000;

/**
 * Returns the result of an answer: `{ text }` with one finding per line, or `{ results }` with the pages that a search
 * found. @throws CasefileError `bad_answer` that names the field.
 */
export const run: TaskModule<ReadAnswerArgs, JsonObject>['run'] = async (bytes, { host, answer, rows }) => {
  const text = new TextDecoder().decode(bytes);
  if ('status' in answer) return textResult([oneLine(text)]);
  if ('lines' in answer) return textResult(linesOf(text, answer.lines, rows));
  if (isTooDeep(text)) throw badAnswer(host, 'JSON that nests too deep');
  const body = parsed(text, host);
  if ('pages' in answer) return { results: pagesIn(body, answer, { host, rows }) };
  return textResult(findingLines(body, answer, { host, rows }));
};

/** Returns findings as the result of a look-up. */
const textResult = (lines: readonly string[]): JsonObject => ({
  text: lines.length === 0 ? '0 results' : lines.join('\n'),
});

const MOST_ADDRESS = 2_048;

function pagesIn(
  body: Json,
  { pages, url, title, text, published }: PagesAnswer,
  { host, rows }: { host: string; rows: number },
): JsonObject[] {
  const [list] = valuesAt(body, pathOf(pages));
  if (!Array.isArray(list)) throw badAnswer(host, `JSON without the list ${pages}`);
  const textAt = (row: Json, path: string | undefined) => {
    const [value] = path === undefined ? [] : valuesAt(row, pathOf(path));
    return typeof value === 'string' && value !== '' ? oneLine(value) : null;
  };
  return list.slice(0, rows).flatMap((row): JsonObject[] => {
    const address = textAt(row, url) ?? '';
    if (!/^https?:\/\/[^\s/]/i.test(address) || address.length > MOST_ADDRESS) return [];
    const words = { title: textAt(row, title) ?? '', text: textAt(row, text) ?? '' };
    return [{ url: address, ...words, published: textAt(row, published) }];
  });
}

function parsed(text: string, host: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw badAnswer(host, 'something that is not JSON', cause);
  }
}

function linesOf(text: string, keep: 'first' | 'last', most: number): string[] {
  const lines = text
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  if (lines.length <= most) return lines;
  const shown = keep === 'first' ? lines.slice(0, most) : lines.slice(-most);
  return [...shown, `(the ${keep} ${most} of ${lines.length} lines)`];
}

interface Finding {
  at: number | null;
  line: string;
}

function findingLines(
  body: Json,
  answer: RowsAnswer,
  { host, rows: most }: { host: string; rows: number },
): string[] {
  const rowValues = valuesAt(body, pathOf(answer.rows));
  if (rowValues.length === 0) throw badAnswer(host, `JSON without ${answer.rows}`);
  const rows = rowValues.flatMap((one) => (Array.isArray(one) ? one : [one])).filter((row) => row !== null);
  const line = findingOf(answer, host);
  const kept = answer.newestFirst ? rows : rows.slice(0, most);
  const findings = kept.flatMap((row, place) =>
    pointsOf(row, answer).map((point) => line(row, point, place)),
  );
  const shown = answer.newestFirst
    ? findings.toSorted((a, b) => (b.at ?? -Infinity) - (a.at ?? -Infinity)).slice(0, most)
    : findings;
  const notes =
    answer.notes === undefined
      ? ''
      : oneLine(filledText(templateOf(answer.notes), (path) => valuesAt(body, path)));
  return [
    ...shown.map((one) => one.line).filter((one) => one !== ''),
    ...(rows.length > most
      ? [`(${answer.newestFirst ? 'the newest' : 'the first'} ${most} of ${rows.length} rows)`]
      : []),
    ...(notes === '' ? [] : [`(note of the source: ${notes})`]),
  ];
}

function findingOf(answer: RowsAnswer, host: string) {
  const { time, subject, value, unit, text } = answer;
  const subjectParts = subject === undefined ? null : templateOf(subject);
  const textParts = text === undefined ? null : templateOf(text);
  const unitOf = unitReader(unit);
  return (row: Json, point: Json | undefined, place: number): Finding => {
    const valuesOf = valuesIn(row, point);
    const at =
      time === undefined ? null : timeOf(firstValue(pathsOf(time.at), valuesOf), time.as, { host, place });
    const shownSubject = subjectParts === null ? '' : filledText(subjectParts, valuesOf);
    const shownText = textParts === null ? '' : filledText(textParts, valuesOf);
    const measured = value === undefined ? undefined : firstValue(pathsOf(value), valuesOf);
    if (value !== undefined && measured === undefined)
      throw badAnswer(host, `row ${place + 1} without ${[value].flat().join(' or ')}`);
    const named = unitOf(valuesOf);
    const shownMeasure =
      measured === undefined ? '' : `= ${shownValue(measured)}${named === '' ? '' : ` ${named}`}`;
    const words = [at === null ? '' : isoTime(at), shownSubject, shownMeasure, shownText];
    return { at, line: oneLine(words.filter((word) => word !== '').join(' ')) };
  };
}

/** Returns a function that reads the unit of a finding; empty: the finding has no unit. */
function unitReader(unit: RowsAnswer['unit']): (valuesOf: ReturnType<typeof valuesIn>) => string {
  if (unit === undefined) return () => '';
  if (typeof unit !== 'string')
    return (valuesOf) =>
      unitByName(shownValue(firstValue([pathOf(unit.of)], valuesOf) ?? null), unit.endings);
  const parts = templateOf(unit);
  return (valuesOf) => filledText(parts, valuesOf);
}

function unitByName(name: string, endings: Readonly<Record<string, string>>): string {
  return Object.entries(endings).find(([end]) => name.endsWith(end))?.[1] ?? '';
}

const MS: Readonly<Record<string, (text: string) => number>> = {
  // A time without a zone is in UTC.
  iso: (text) => Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`),
  seconds: (text) => Number(text) * 1_000,
  milliseconds: Number,
  nanoseconds: (text) => Number(text) / 1_000_000,
};

function timeOf(
  value: Json | undefined,
  as: string,
  { host, place }: { host: string; place: number },
): number | null {
  if (value === undefined) return null;
  const at = typeof value === 'object' ? Number.NaN : (MS[as]?.(String(value)) ?? Number.NaN);
  if (Number.isNaN(new Date(at).getTime()))
    throw badAnswer(host, `row ${place + 1} with another time than in ${as}`);
  return at;
}

/** Without milliseconds if they are zero. */
const isoTime = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

/**
 * Returns the points of a row: all, or as many as allowed, evenly spaced, with the first, the last, the least and the
 * greatest. Without points, the row itself is the only finding.
 */
function pointsOf(row: Json, { points, value }: RowsAnswer): (Json | undefined)[] {
  if (points === undefined) return [undefined];
  const all = valuesAt(row, pathOf(points.path)).flatMap((one) => (Array.isArray(one) ? one : [one]));
  if (all.length <= points.most) return all;
  const last = all.length - 1;
  const places = new Set([0, last]);
  const measures =
    value === undefined ? [] : all.map((point) => Number(firstValue(pathsOf(value), valuesIn(row, point))));
  const numbers = measures.filter((one) => Number.isFinite(one));
  if (numbers.length > 0) {
    places.add(measures.indexOf(numbers.reduce((a, b) => Math.min(a, b))));
    places.add(measures.indexOf(numbers.reduce((a, b) => Math.max(a, b))));
  }
  const free = points.most - places.size;
  for (let i = 1; i <= free; i += 1) places.add(Math.round((i * last) / (free + 1)));
  return [...places].toSorted((a, b) => a - b).map((place) => all[place]);
}

// The schema of source files has checked every path and template.
const pathOf = (text: string): JsonPath => readJsonPath(text) ?? [];
const pathsOf = (texts: string | readonly string[]): JsonPath[] => [texts].flat().map(pathOf);
const templateOf = (text: string) => readTextTemplate(text) ?? [];

/** A finding is one line: a line end in an outside text would look like a finding of its own. */
function oneLine(text: string): string {
  const line = text
    .slice(0, MOST_LINE * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= MOST_LINE ? line : `${line.slice(0, MOST_LINE)}...`;
}
