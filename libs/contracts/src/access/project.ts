import type { z } from 'zod';
import { readsMark, type Mark } from './marks.js';
import { compilePlan, type CompiledPlan, type PartsPlan, type Plan, type WithheldPlan } from './plan.js';
import type { Role } from './caller.js';

/** Deepest nesting that is projected. A deeper part is left out. */
const DEEPEST = 100;

/** Field of the hint at the root of an answer; see `withheldSchema`. */
const HINT = 'withheld';

/** Longest text that is kept of a free value. */
const LONGEST_KEPT = 200;

const plans = new WeakMap<z.ZodType, CompiledPlan>();

/** Returns the plan of a schema. It is compiled once per schema. */
export function planOf(schema: z.ZodType): CompiledPlan {
  const cachedPlan = plans.get(schema);
  if (cachedPlan !== undefined) return cachedPlan;
  const plan = compilePlan(schema);
  plans.set(schema, plan);
  return plan;
}

/** Returns the mark for which a role may not read any value of a schema; null: it may. */
export function refusedMark(schema: z.ZodType, role: Role | null): Mark | null {
  const { plan } = planOf(schema);
  return plan.kind === 'withheld' && !readsMark(role, plan.mark) ? plan.mark : null;
}

/** Returns the names of the fields of an object schema that a role may not set, such as search words. */
export function refusedFields(schema: z.ZodType, role: Role | null): ReadonlyMap<string, Mark> {
  const { plan } = planOf(schema);
  if (plan.kind !== 'parts') return new Map();
  const refused = [...plan.fields].flatMap(([name, field]) =>
    field.kind === 'withheld' && !readsMark(role, field.mark) ? [[name, field.mark] as const] : [],
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
  const { plan, marks } = planOf(schema);
  if ([...marks].every((mark) => readsMark(role, mark))) return value;
  const projection = new Projection(role, codes);
  const projected = projection.of(plan, value, 0);
  const hasHint = plan.kind === 'parts' && plan.fields.has(HINT);
  if (projection.withheld.size === 0 || !hasHint || !isObject(projected)) return projected;
  return { [HINT]: [...projection.withheld].sort(), ...projected };
}

class Projection {
  readonly withheld = new Set<Mark>();

  constructor(
    private readonly role: Role | null,
    private readonly codes: ReadonlySet<string>,
  ) {}

  of(plan: Plan, value: unknown, depth: number, parent: Record<string, unknown> = {}): unknown {
    if (value === undefined || value === null) return value;
    if (plan.kind === 'open') return value;
    if (plan.kind === 'withheld') return this.guarded(plan, value, parent);
    if (depth > DEEPEST) return undefined;
    if (Array.isArray(value)) return this.list(plan, value, depth);
    if (isObject(value) && !(value instanceof Date)) return this.object(plan, value, depth);
    return plan.scalar ? value : undefined;
  }

  private guarded(plan: WithheldPlan, value: unknown, parent: Record<string, unknown>): unknown {
    const { mark, unless, codes, keep, absent } = plan;
    if (readsMark(this.role, mark)) return value;
    if (unless !== undefined && unless.is.includes(String(parent[unless.field]))) return value;
    if (codes === true && isObject(value)) return this.codesOf(value, mark);
    if (!isBlank(value)) this.withheld.add(mark);
    return keep === undefined ? absent : (keptOf(value, keep, 0) ?? absent);
  }

  private codesOf(value: Record<string, unknown>, mark: Mark): Record<string, unknown> {
    const entries = Object.entries(value);
    const shown = entries.filter(([key, field]) => key !== '__proto__' && this.isCode(field));
    if (entries.some(([, field]) => !this.isCode(field) && !isBlank(field))) this.withheld.add(mark);
    return Object.fromEntries(shown);
  }

  private isCode(value: unknown): boolean {
    if (typeof value === 'string') return this.codes.has(value);
    return value === null || typeof value === 'number' || typeof value === 'boolean';
  }

  private list({ items }: PartsPlan, list: readonly unknown[], depth: number): unknown {
    if (items === null) return undefined;
    return list.map((item) => this.of(items, item, depth + 1) ?? null);
  }

  private object({ fields, rest }: PartsPlan, value: Record<string, unknown>, depth: number): unknown {
    if (fields.size === 0 && rest === null) return undefined;
    const projected: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(value)) {
      const plan = fields.get(key) ?? rest;
      if (plan === null || key === '__proto__') continue;
      const visibleField = this.of(plan, field, depth + 1, value);
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
