import { isObject, type Json } from '@casefile/contracts';

/** Any item of a list, or any value of an object. */
const EACH = Symbol('each');

/** Steps from a value to values inside it. */
export type JsonPath = readonly (string | number | typeof EACH)[];

/** Values that one path may lead to. */
const MOST_VALUES = 100_000;

const STEP = /\.?([\w@$-]{1,100})|\[(-?\d{1,6})\]|(\[\*\])|\["([^"\\]{1,200})"\]/y;

/**
 * Reads a path such as `data.result[*].values[0]`, `labels["app.kubernetes.io/name"]` or `$`, which is the whole value.
 * @returns null: the text is no path.
 */
export function readJsonPath(text: string): JsonPath | null {
  if (text === '$') return [];
  const steps: (string | number | typeof EACH)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex;
    const match = STEP.exec(text);
    if (match === null) return null;
    const [, name, index, each, quoted] = match;
    // A point stands between two names, and nowhere else.
    if ((text[at] === '.') !== (at > 0 && name !== undefined)) return null;
    steps.push(index !== undefined ? Number(index) : each !== undefined ? EACH : (name ?? quoted ?? ''));
  }
  return steps.length === 0 ? null : steps;
}

/** Returns the values to which a path leads; none if a step does not exist. A negative index counts from the end. */
export function valuesAt(value: Json | undefined, path: JsonPath): Json[] {
  let values: Json[] = value === undefined ? [] : [value];
  for (const step of path) {
    values = values.flatMap((one) => stepInto(one, step));
    if (values.length > MOST_VALUES) values = values.slice(0, MOST_VALUES);
  }
  return values;
}

function stepInto(value: Json, step: JsonPath[number]): Json[] {
  if (step === EACH)
    return Array.isArray(value) ? value : isObject(value) ? Object.values(value as object) : [];
  if (typeof step === 'number') return asList(Array.isArray(value) ? value.at(step) : undefined);
  return asList(isObject(value) && Object.hasOwn(value, step) ? (value[step] as Json) : undefined);
}

const asList = (value: Json | undefined): Json[] => (value === undefined ? [] : [value]);
