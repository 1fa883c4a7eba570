import type { z } from 'zod';
import { readsClass, type FieldClass } from './field-class.js';
import {
  compileProjection,
  type CompiledProjection,
  type PartsProjection,
  type Projection,
  type WithheldProjection,
} from './projection.js';
import type { Role } from './caller.js';

/** Deepest nesting that is projected. A deeper part is left out. */
const DEEPEST = 100;

/** Field of the hint at the root of an answer; see `withheldSchema`. */
const HINT = 'withheld';

/** Longest text that is kept of a free value. */
const LONGEST_KEPT = 200;

const projections = new WeakMap<z.ZodType, CompiledProjection>();

/** Returns the projection of a schema. It is compiled once per schema. */
export function projectionOf(schema: z.ZodType): CompiledProjection {
  const cached = projections.get(schema);
  if (cached !== undefined) return cached;
  const projection = compileProjection(schema);
  projections.set(schema, projection);
  return projection;
}

/** Returns the class for which a role may not read any value of a schema; null: it may. */
export function refusedClass(schema: z.ZodType, role: Role | null): FieldClass | null {
  const { projection } = projectionOf(schema);
  return projection.kind === 'withheld' && !readsClass(role, projection.fieldClass)
    ? projection.fieldClass
    : null;
}

/** Returns the names of the fields of an object schema that a role may not set, such as search words. */
export function refusedFields(schema: z.ZodType, role: Role | null): ReadonlyMap<string, FieldClass> {
  const { projection } = projectionOf(schema);
  if (projection.kind !== 'parts') return new Map();
  const refused = [...projection.fields].flatMap(([name, field]) =>
    field.kind === 'withheld' && !readsClass(role, field.fieldClass)
      ? [[name, field.fieldClass] as const]
      : [],
  );
  return new Map(refused);
}

/**
 * Returns what a role may read of a value: fields of other classes are absent, and so are fields that the
 * schema does not name. If the schema has the hint `withheld` at its root, it lists the absent classes. A role that
 * reads every class gets the value itself. Takes time linear in the size of the value.
 * @param codes texts that every role reads in outcomes of verdicts. Default: none.
 */
export function project(
  schema: z.ZodType,
  value: unknown,
  role: Role | null,
  codes: ReadonlySet<string> = new Set(),
): unknown {
  const { projection, classes } = projectionOf(schema);
  if ([...classes].every((fieldClass) => readsClass(role, fieldClass))) return value;
  const projector = new Projector(role, codes);
  const projected = projector.of(projection, value, 0);
  const hasHint = projection.kind === 'parts' && projection.fields.has(HINT);
  if (projector.withheld.size === 0 || !hasHint || !isObject(projected)) return projected;
  return { [HINT]: [...projector.withheld].sort(), ...projected };
}

class Projector {
  readonly withheld = new Set<FieldClass>();

  constructor(
    private readonly role: Role | null,
    private readonly codes: ReadonlySet<string>,
  ) {}

  of(projection: Projection, value: unknown, depth: number, parent: Record<string, unknown> = {}): unknown {
    if (value === undefined || value === null) return value;
    if (projection.kind === 'open') return value;
    if (projection.kind === 'withheld') return this.guarded(projection, value, parent);
    if (depth > DEEPEST) return undefined;
    if (Array.isArray(value)) return this.list(projection, value, depth);
    if (isObject(value) && !(value instanceof Date)) return this.object(projection, value, depth);
    return projection.scalar ? value : undefined;
  }

  private guarded(projection: WithheldProjection, value: unknown, parent: Record<string, unknown>): unknown {
    const { fieldClass, unless, codes, keep, absent } = projection;
    if (readsClass(this.role, fieldClass)) return value;
    if (unless !== undefined && unless.is.includes(String(parent[unless.field]))) return value;
    if (codes === true && isObject(value)) return this.codesOf(value, fieldClass);
    if (!isBlank(value)) this.withheld.add(fieldClass);
    return keep === undefined ? absent : (keptOf(value, keep, 0) ?? absent);
  }

  private codesOf(value: Record<string, unknown>, fieldClass: FieldClass): Record<string, unknown> {
    const entries = Object.entries(value);
    const shown = entries.filter(([key, field]) => key !== '__proto__' && this.isCode(field));
    if (entries.some(([, field]) => !this.isCode(field) && !isBlank(field))) this.withheld.add(fieldClass);
    return Object.fromEntries(shown);
  }

  private isCode(value: unknown): boolean {
    if (typeof value === 'string') return this.codes.has(value);
    return value === null || typeof value === 'number' || typeof value === 'boolean';
  }

  private list({ items }: PartsProjection, list: readonly unknown[], depth: number): unknown {
    if (items === null) return undefined;
    return list.map((item) => this.of(items, item, depth + 1) ?? null);
  }

  private object(
    { fields, otherKeys }: PartsProjection,
    value: Record<string, unknown>,
    depth: number,
  ): unknown {
    if (fields.size === 0 && otherKeys === null) return undefined;
    const projected: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(value)) {
      const projection = fields.get(key) ?? otherKeys;
      if (projection === null || key === '__proto__') continue;
      const visibleField = this.of(projection, field, depth + 1, value);
      if (visibleField !== undefined) projected[key] = visibleField;
    }
    return projected;
  }
}

/** Returns the listed keys of a free value, at every level; undefined: there are none. */
function keptOf(value: unknown, keep: readonly string[], depth: number): unknown {
  if (!isObject(value) || depth > DEEPEST) return undefined;
  const result: Record<string, unknown> = {};
  for (const key of keep) {
    if (!Object.hasOwn(value, key)) continue;
    const field = keptValue(value[key], keep, depth + 1);
    if (field !== undefined) result[key] = field;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

function keptValue(value: unknown, keep: readonly string[], depth: number): unknown {
  if (Array.isArray(value)) return value.filter(isKeptScalar);
  return isKeptScalar(value) ? value : keptOf(value, keep, depth);
}

function isKeptScalar(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_KEPT;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

function isBlank(value: unknown): boolean {
  if (value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
