type Node = Record<string, unknown>;

/** A document that is compared: its operations by path and method, and its named schemas. */
export interface ApiDocument {
  paths: Record<string, Record<string, Node>>;
  components?: { schemas?: Record<string, Node> };
}

/** Requests must stay accepted; responses must keep their fields. */
type Side = 'asked' | 'answered';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
/** Limits that may only become wider, with the comparison that the new limit must pass. */
const LIMITS: Record<string, (old: number, now: number) => boolean> = {
  maximum: (old, now) => now >= old,
  maxLength: (old, now) => now >= old,
  maxItems: (old, now) => now >= old,
  minimum: (old, now) => now <= old,
  minLength: (old, now) => now <= old,
  minItems: (old, now) => now <= old,
};

/** Breaking changes that CHANGELOG announces. None was released before. */
const ANNOUNCED = [
  /^\w+ \/destinations.*(?:when\.condition\[\] does not have all of its values any more|entry: alternative 1 is gone or narrower)$/,
  /^get \/(?:cases|dead-letters|history\/sessions) 200\.items (?:is gone|may now be missing)$/,
  /^post \/destinations.* body\.destination\.headers\[\] has another pattern$/,
  /^get \/cases\/\{caseId\} 200\.storm: alternative 1 is gone or narrower$/,
];

/** Returns the breaking changes that CHANGELOG does not announce. */
export const unannouncedChanges = (old: ApiDocument, now: ApiDocument): string[] =>
  breakingChanges(old, now).filter((change) => !ANNOUNCED.some((one) => one.test(change)));

/**
 * Returns the breaking changes from the old document to the new one: a removed path, method, parameter,
 * status or field; a narrower type or limit; a newly required request field; a response field that became
 * optional. Empty: there are only additions.
 */
export function breakingChanges(old: ApiDocument, now: ApiDocument): string[] {
  const changes: string[] = [];
  const schemas = new SchemaComparison(old, now);
  for (const [path, methods] of Object.entries(old.paths))
    for (const method of METHODS.filter((one) => one in methods)) {
      const [was, is] = [at(methods, method), now.paths[path]?.[method]];
      if (is === undefined) changes.push(`${method} ${path} is gone`);
      else changes.push(...operationChanges(`${method} ${path}`, was, is, schemas));
    }
  return changes;
}

function operationChanges(where: string, old: Node, now: Node, schemas: SchemaComparison): string[] {
  return [
    ...parameterChanges(where, old, now, schemas),
    ...contentChanges(`${where} body`, at(old, 'requestBody'), at(now, 'requestBody'), 'asked', schemas),
    ...Object.keys(at(old, 'responses')).flatMap((status) =>
      status in at(now, 'responses')
        ? contentChanges(
            `${where} ${status}`,
            ...([at(at(old, 'responses'), status), at(at(now, 'responses'), status)] as const),
            ...(['answered', schemas] as const),
          )
        : [`${where} ${status} is gone`],
    ),
  ];
}

function parameterChanges(where: string, old: Node, now: Node, schemas: SchemaComparison): string[] {
  const keyOf = (one: Node): string => `${String(one['in'])} ${String(one['name'])}`;
  const [before, after] = [old, now].map(
    (operation) => new Map(list(operation['parameters']).map((one) => [keyOf(one), one])),
  );
  const gone = [...(before ?? [])].flatMap(([key, was]) => {
    const is = after?.get(key);
    if (is === undefined) return [`${where} ${key} is gone`];
    return schemas.changes(`${where} ${key}`, at(was, 'schema'), at(is, 'schema'), 'asked');
  });
  const needed = [...(after ?? [])].flatMap(([key, is]) =>
    is['required'] === true && before?.get(key)?.['required'] !== true
      ? [`${where} ${key} is now required`]
      : [],
  );
  return [...gone, ...needed];
}

function contentChanges(
  where: string,
  old: Node,
  now: Node,
  side: Side,
  schemas: SchemaComparison,
): string[] {
  return Object.entries(at(old, 'content')).flatMap(([media, was]) => {
    const is = at(now, 'content')[media];
    if (is === undefined) return [`${where} ${media} is gone`];
    return schemas.changes(where, at(was as Node, 'schema'), at(is as Node, 'schema'), side);
  });
}

/** Compares JSON schemas along their references, each pair of named ones once. */
class SchemaComparison {
  private readonly comparedPairs = new Set<string>();

  constructor(
    private readonly old: ApiDocument,
    private readonly now: ApiDocument,
  ) {}

  changes(where: string, old: Node, now: Node, side: Side): string[] {
    const pair = `${side} ${String(old['$ref'])} ${String(now['$ref'])}`;
    if ('$ref' in old && this.comparedPairs.has(pair)) return [];
    if ('$ref' in old) this.comparedPairs.add(pair);
    const [was, is] = [asEnumeration(resolved(old, this.old)), asEnumeration(resolved(now, this.now))];
    if (options(was).length > 1 || options(is).length > 1) return this.alternatives(where, was, is, side);
    return [
      ...ownChanges(where, was, is),
      ...this.fields(where, was, is, side),
      ...this.within(where, was, is, side),
    ];
  }

  // The new schema must contain each alternative of the old one.
  private alternatives(where: string, was: Node, is: Node, side: Side): string[] {
    return options(was).flatMap((option, index) => {
      const problemLists = options(is).map((one) =>
        new SchemaComparison(this.old, this.now).tryOut(this.comparedPairs, where, option, one, side),
      );
      if (problemLists.some((problems) => problems.length === 0)) return [];
      return problemLists.length === 1
        ? (problemLists[0] ?? [])
        : [`${where}: alternative ${index + 1} is gone or narrower`];
    });
  }

  private tryOut(comparedPairs: Set<string>, where: string, old: Node, now: Node, side: Side): string[] {
    for (const pair of comparedPairs) this.comparedPairs.add(pair);
    return this.changes(where, old, now, side);
  }

  private fields(where: string, was: Node, is: Node, side: Side): string[] {
    const [before, after] = [names(was['required']), names(is['required'])];
    const changed = Object.entries(at(was, 'properties')).flatMap(([name, old]) => {
      const now = at(is, 'properties')[name];
      if (now === undefined) return [`${where}.${name} is gone`];
      return this.changes(`${where}.${name}`, old as Node, now as Node, side);
    });
    const [from, to, what] =
      side === 'asked' ? [after, before, 'is now required'] : [before, after, 'may now be missing'];
    return [
      ...changed,
      ...from.filter((name) => !to.includes(name)).map((name) => `${where}.${name} ${what}`),
    ];
  }

  private within(where: string, was: Node, is: Node, side: Side): string[] {
    return ['items', 'additionalProperties'].flatMap((key) => {
      const [old, now] = [was[key], is[key]];
      if (now === false && old !== false) return [`${where} takes no other fields any more`];
      if (!isNode(old) || !isNode(now)) return [];
      return this.changes(`${where}[]`, old, now, side);
    });
  }
}

function ownChanges(where: string, was: Node, is: Node): string[] {
  const problems: string[] = [];
  const [type, now] = [was['type'], is['type']];
  if (now !== undefined && now !== type && !(type === 'integer' && now === 'number'))
    problems.push(`${where} was of type ${String(type)} and is of ${String(now)}`);
  // `const` is a list of one value.
  const before = was['enum'] ?? (was['const'] === undefined ? undefined : [was['const']]);
  const allowed = is['enum'];
  const values = list<unknown>(before ?? []);
  if (
    allowed !== undefined &&
    (before === undefined || values.some((one) => !list<unknown>(allowed).includes(one)))
  )
    problems.push(`${where} does not have all of its values any more`);
  for (const key of ['const', 'pattern', 'format'])
    if (is[key] !== undefined && is[key] !== was[key]) problems.push(`${where} has another ${key}`);
  for (const [key, isWideEnough] of Object.entries(LIMITS))
    if (is[key] !== undefined && (was[key] === undefined || !isWideEnough(Number(was[key]), Number(is[key]))))
      problems.push(`${where} has a narrower ${key}`);
  return problems;
}

/**
 * Returns the alternatives of a schema, each of one type. Alternatives that are all constants of one type
 * form an enumeration.
 */
function options(node: Node): Node[] {
  if ('anyOf' in node) {
    const all = list(node['anyOf']);
    const [first] = all;
    return first !== undefined && all.every((one) => 'const' in one && one['type'] === first['type'])
      ? [{ type: first['type'], enum: all.map((one) => one['const']) }]
      : all.flatMap(options);
  }
  return Array.isArray(node['type']) ? node['type'].map((type: unknown) => ({ ...node, type })) : [node];
}

function asEnumeration(node: Node): Node {
  const [one, ...more] = options(node);
  return one !== undefined && more.length === 0 && 'enum' in one ? one : node;
}

function resolved(node: Node, { components }: ApiDocument): Node {
  const ref = node['$ref'];
  if (typeof ref !== 'string') return node;
  return components?.schemas?.[ref.slice(ref.lastIndexOf('/') + 1)] ?? {};
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function at(node: Node, key: string): Node {
  const value = node[key];
  return isNode(value) ? value : {};
}

function list<T = Node>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}

function names(value: unknown): string[] {
  return list<string>(value);
}
