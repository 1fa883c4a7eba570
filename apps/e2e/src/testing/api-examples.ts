import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isObject } from '@casefile/contracts';
import { ACT, TYPED } from '../access/act-request.js';

/** An example of an operation of the console's API. */
interface ApiExample {
  body?: unknown;
  answer: unknown;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FILE = fileURLToPath(new URL('../../../console/src/examples.json', import.meta.url));

/** `RECORD_EXAMPLES=1`: the specs that send every request write the examples of the API document. */
const IS_RECORDING = process.env['RECORD_EXAMPLES'] === '1';

const read = (): Record<string, ApiExample> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, ApiExample>) : {};

/**
 * Compares what was sent and answered with the example of the operation in the API document: both have the same fields.
 * While examples are recorded, writes it as the example.
 */
export function holdsExample(operationId: string, { body, answer }: ApiExample): void {
  if (IS_RECORDING) {
    const examples = { ...read(), [operationId]: asExample({ body, answer }) };
    const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
    return;
  }
  const example = read()[operationId];
  const fields = (value: unknown) => (isObject(value) ? Object.keys(value).sort() : []);
  expect({ operationId, body: fields(example?.body), answer: fields(example?.answer) }).toEqual({
    operationId,
    body: fields(body),
    answer: fields(answer),
  });
}

/** Entries of a list in an example: of objects, and of other values. */
const MOST = { objects: 1, values: 3 };
/** Characters of a text in an example. */
const LONGEST = 160;

/** Names and reasons in requests of tests, each with the text that replaces it in an example. */
const WORDS = new Map([
  [TYPED, 'ann'],
  ['helper', 'ben'],
  [ACT.reason, 'Too many payment reminders need review.'],
]);

/**
 * Shortens lists and texts of the answer, and replaces what differs from run to run: ids, times, ports, names of the
 * machine.
 */
function asExample({ body, answer }: ApiExample): ApiExample {
  const ids: string[] = [];
  const numberOf = (id: string): number => (ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1);
  const text = (value: string): string => {
    const replaced = value
      .replaceAll(ROOT, '/app/')
      .replaceAll(tmpdir(), '/tmp')
      .replaceAll(hostname(), 'host-1')
      .replaceAll(
        /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
        (id) => `01900000-0000-7000-8000-${String(numberOf(id) + 1).padStart(12, '0')}`,
      )
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '2026-01-05T10:00:00.000Z')
      .replaceAll(/\b[0-9a-f]{64}\b/g, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://hooks.example')
      // Texts of tests end in a number, so that no two are the same.
      .replace(/^(\D+) \d+$/, '$1');
    const words = WORDS.get(replaced);
    return words ?? replaced;
  };
  const plain = (one: unknown, key = ''): unknown => {
    if (typeof one === 'string') return key === 'key' && one.length > 30 ? 'the new key' : text(one);
    if (Array.isArray(one)) return one.map((each) => plain(each));
    if (!isObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, each]) => [text(name), plain(each, name)]));
  };
  return { ...(body !== undefined && { body: plain(body) }), answer: shortened(plain(answer)) };
}

function shortened(one: unknown): unknown {
  if (typeof one === 'string') return one.length > LONGEST ? `${one.slice(0, LONGEST)}…` : one;
  if (Array.isArray(one))
    return one.slice(0, isObject(one[0]) ? MOST.objects : MOST.values).map((each) => shortened(each));
  if (!isObject(one)) return one;
  return Object.fromEntries(Object.entries(one).map(([name, each]) => [name, shortened(each)]));
}
