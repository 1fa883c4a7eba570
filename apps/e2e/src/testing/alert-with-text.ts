import { alertInputSchema, isObject, z, type Json, type JsonObject } from '@casefile/contracts';
import { intakeAddresses, type Playbook } from '@casefile/pipeline';

type Path = readonly (string | number)[];

/** Returns the place of each text in a value. */
function textPaths(value: Json, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((item, i) => textPaths(item, [...path, i]));
  if (!isObject(value)) return [];
  return Object.entries(value as JsonObject).flatMap(([key, item]) => textPaths(item, [...path, key]));
}

/** Returns a copy of a value with this text appended at the place. */
function withText(value: Json, [at, ...rest]: Path, text: string): Json {
  if (at === undefined) return `${value as string} ${text}`.trim();
  if (Array.isArray(value)) return value.map((item, i) => (i === at ? withText(item, rest, text) : item));
  const object = value as JsonObject;
  return { ...object, [at]: withText(object[at] ?? '', rest, text) };
}

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
} & Partial<Record<'enum' | 'const' | 'format' | 'pattern' | 'additionalProperties' | 'maxItems', unknown>>;

/** Returns a value with an empty text in each place of the schema that takes any text. */
function emptyTexts(schema: Schema): Json | undefined {
  const { type, properties, items, anyOf, additionalProperties: others } = schema;
  if (anyOf !== undefined) return anyOf.map(emptyTexts).find((value) => value !== undefined);
  if (type === 'string')
    return ['enum', 'const', 'format', 'pattern'].some((name) => name in schema) ? undefined : '';
  if (type === 'array') {
    const item = items === undefined ? undefined : emptyTexts(items);
    return item === undefined ? undefined : [item];
  }
  if (properties === undefined && isObject(others)) {
    const value = emptyTexts(others as Schema);
    return value === undefined ? undefined : { note: value };
  }
  const fields = Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const value = emptyTexts(field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

const schemaOf = (type: z.ZodType) =>
  z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as unknown as Schema;

/** Fields that state how the alert is processed, not what it says. */
const CONTROLS = ['playbook', 'collect', 'image', 'receivedAt'];

/** Returns whether the kind accepts the alert. */
const takes = ({ intake }: Playbook, alert: JsonObject) => {
  const { data } = alertInputSchema.safeParse(alert);
  return data !== undefined && intake.problems(data).length === 0;
};

/**
 * Returns an alert of the kind with the text in each place that takes it: the fields of every alert, the fields of
 * the schema of the kind's endpoint, and each text of its sample.
 */
export function alertWith(
  kind: Playbook,
  sample: JsonObject,
  text: string,
): { alert: JsonObject; places: Path[] } {
  const [address] = intakeAddresses(kind.intake);
  const outer = emptyTexts(schemaOf(alertInputSchema)) as JsonObject;
  const own: JsonObject =
    address === undefined ? {} : { payload: emptyTexts(schemaOf(address.body)) as JsonObject };
  let alert = sample;
  const places: Path[] = [];
  const all = [...textPaths(sample), ...textPaths({ ...outer, ...own })];
  for (const path of all.filter(([field]) => !CONTROLS.includes(field as string))) {
    if (places.some((place) => place.join() === path.join())) continue;
    const changed = withText(alert, path, text) as JsonObject;
    if (!takes(kind, changed)) continue;
    alert = changed;
    places.push(path);
  }
  return { alert, places };
}
