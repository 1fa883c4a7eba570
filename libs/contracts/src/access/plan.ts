import type { z } from 'zod';
import { markOf, type Mark, type MarkOptions } from './marks.js';

/** Projection of a value of a schema. */
export type Plan = OpenPlan | WithheldPlan | PartsPlan;

/** Every role reads the value. */
interface OpenPlan {
  kind: 'open';
}

/** Roles that do not read the mark get `absent` instead. */
export interface WithheldPlan extends MarkOptions {
  kind: 'withheld';
  mark: Mark;
  /** undefined: the field is left out. */
  absent: unknown;
}

/** The value is read part by part. A part without a plan is left out. */
export interface PartsPlan {
  kind: 'parts';
  /** Whether the value may be a text, number or boolean. */
  scalar: boolean;
  items: Plan | null;
  fields: Map<string, Plan>;
  /** Plan of keys that are not listed. */
  rest: Plan | null;
}

/** The plan of a schema, with the facts that a check of schemas needs. */
export interface CompiledPlan {
  plan: Plan;
  marks: ReadonlySet<Mark>;
  /** Paths of free JSON that has neither a mark nor a reason to be open. */
  unmarked: readonly string[];
  /** Paths of marked fields. */
  marked: readonly { path: string; mark: Mark; options: MarkOptions }[];
  /** Paths of texts that every role reads. */
  openTexts: readonly string[];
  /** Paths of free JSON that every role reads, with the reason. */
  openJson: readonly { path: string; because: string }[];
}

/** The parts of a zod definition that a plan is made from. */
interface Definition {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  items?: z.ZodType[];
  rest?: z.ZodType | null;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  left?: z.ZodType;
  right?: z.ZodType;
  out?: z.ZodType;
  getter?: () => z.ZodType;
}

const WRAPPERS = ['optional', 'nullable', 'default', 'prefault', 'nonoptional', 'catch', 'readonly'];
const TEXTS = ['string', 'template_literal'];
const PLAIN = ['number', 'int', 'boolean', 'enum', 'literal', 'null', 'undefined', 'date', 'bigint', 'never'];

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

const parts = (some: Partial<PartsPlan>): PartsPlan => ({
  kind: 'parts',
  scalar: false,
  items: null,
  fields: new Map(),
  rest: null,
  ...some,
});

/**
 * Compiles a schema. Free JSON and parts of unknown types are withheld like personal fields, so that a
 * forgotten mark shows nothing.
 */
export function compilePlan(schema: z.ZodType): CompiledPlan {
  return new Compiler().compile(schema);
}

class Compiler {
  private readonly marked: { path: string; mark: Mark; options: MarkOptions }[] = [];
  private readonly unmarked: string[] = [];
  private readonly openTexts: string[] = [];
  private readonly openJson: { path: string; because: string }[] = [];
  /** Schemas that refer to themselves. */
  private readonly lazies = new Map<z.ZodType, PartsPlan>();

  compile(schema: z.ZodType): CompiledPlan {
    const plan = this.planOf(schema, '');
    const { marked, unmarked, openTexts, openJson } = this;
    const marks = new Set(marked.map(({ mark }) => mark));
    if (unmarked.length > 0) marks.add('personal');
    return { plan, marks, marked, unmarked, openTexts, openJson };
  }

  private planOf(schema: z.ZodType, path: string): Plan {
    const mark = markOf(schema);
    if (mark !== undefined) return this.markedPlan(schema, path, mark);
    const def = definitionOf(schema);
    if (TEXTS.includes(def.type)) {
      this.openTexts.push(path);
      return parts({ scalar: true });
    }
    if (PLAIN.includes(def.type)) return parts({ scalar: true });
    if (WRAPPERS.includes(def.type) && def.innerType !== undefined) return this.wrapped(def, path);
    switch (def.type) {
      case 'object':
        return this.objectPlan(def, path);
      case 'array':
        return parts({ items: this.optionalPlan(def.element, `${path}[]`) });
      case 'tuple':
        return parts({
          items: merged(
            [...(def.items ?? []), def.rest ?? []].flat().map((it) => this.planOf(it, `${path}[]`)),
          ),
        });
      case 'record':
        return parts({ rest: this.optionalPlan(def.valueType, `${path}.*`) });
      case 'union':
        return merged((def.options ?? []).map((option) => this.planOf(option, path)));
      case 'intersection':
        return merged([def.left, def.right].map((side) => this.optionalPlan(side, path)));
      case 'pipe':
        return this.optionalPlan(def.out, path);
      case 'lazy':
        return this.lazyPlan(schema, def, path);
      default:
        return this.free(path);
    }
  }

  private markedPlan(schema: z.ZodType, path: string, mark: NonNullable<ReturnType<typeof markOf>>): Plan {
    if ('openBecause' in mark) {
      this.openJson.push({ path, because: mark.openBecause });
      return { kind: 'open' };
    }
    const { mark: name, ...options } = mark;
    this.marked.push({ path, mark: name, options });
    return { kind: 'withheld', mark: name, absent: absentValue(schema), ...options };
  }

  private wrapped({ type, innerType }: Definition, path: string): Plan {
    const plan = this.optionalPlan(innerType, path);
    if (plan.kind !== 'withheld') return plan;
    if (type === 'optional') return { ...plan, absent: undefined };
    return type === 'nullable' ? { ...plan, absent: null } : plan;
  }

  private objectPlan({ shape = {}, catchall }: Definition, path: string): Plan {
    const prefix = path === '' ? '' : `${path}.`;
    const fields = new Map(
      Object.entries(shape).map(([key, field]) => [key, this.planOf(field, prefix + key)] as const),
    );
    const isClosed = catchall === undefined || definitionOf(catchall).type === 'never';
    return parts({ fields, rest: isClosed ? null : this.planOf(catchall, `${prefix}*`) });
  }

  // The plan is completed after its parts, which may refer to it.
  private lazyPlan(schema: z.ZodType, { getter }: Definition, path: string): Plan {
    const cachedPlan = this.lazies.get(schema);
    if (cachedPlan !== undefined) return cachedPlan;
    const plan = parts({});
    this.lazies.set(schema, plan);
    const innerPlan = this.optionalPlan(getter?.(), path);
    if (innerPlan.kind !== 'parts') return innerPlan;
    return Object.assign(plan, innerPlan);
  }

  private optionalPlan(schema: z.ZodType | undefined, path: string): Plan {
    return schema === undefined ? this.free(path) : this.planOf(schema, path);
  }

  private free(path: string): Plan {
    this.unmarked.push(path);
    return { kind: 'withheld', mark: 'personal', absent: null };
  }
}

// The strictest plan wins: what one alternative withholds is withheld in all of them.
function merged(plans: readonly Plan[]): Plan {
  return plans.reduce((one, other) => mergedPair(one, other), parts({}));
}

function mergedPair(one: Plan, other: Plan): Plan {
  if (one.kind === 'withheld') return one;
  if (other.kind === 'withheld') return other;
  if (one.kind === 'open') return isEmpty(other) ? one : other;
  if (other.kind === 'open') return isEmpty(one) ? other : one;
  const fields = new Map(one.fields);
  for (const [key, plan] of other.fields) {
    const earlierPlan = fields.get(key);
    fields.set(key, earlierPlan === undefined ? plan : mergedPair(earlierPlan, plan));
  }
  return parts({
    scalar: one.scalar || other.scalar,
    items: either(one.items, other.items),
    fields,
    rest: either(one.rest, other.rest),
  });
}

function either(one: Plan | null, other: Plan | null): Plan | null {
  if (one === null || other === null) return one ?? other;
  return mergedPair(one, other);
}

function isEmpty(plan: Plan): boolean {
  return (
    plan.kind === 'parts' &&
    !plan.scalar &&
    plan.items === null &&
    plan.rest === null &&
    plan.fields.size === 0
  );
}

/**
 * Returns the value of a schema that says least: nothing if the field may be missing, else null if it may be
 * null, else an empty text, list or object, 0 or false.
 */
function absentValue(schema: z.ZodType): unknown {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'optional':
      return undefined;
    case 'string':
    case 'template_literal':
      return '';
    case 'number':
    case 'int':
      return 0;
    case 'boolean':
      return false;
    case 'array':
    case 'tuple':
      return [];
    case 'record':
      return {};
    case 'object':
      return absentObject(def);
    case 'union':
      return absentChoice(def.options ?? []);
    default:
      return WRAPPERS.includes(def.type) && def.type !== 'nullable' && def.innerType !== undefined
        ? absentValue(def.innerType)
        : null;
  }
}

function absentObject({ shape = {} }: Definition): Record<string, unknown> {
  const fields = Object.entries(shape).map(([key, field]) => [key, absentValue(field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function absentChoice(options: readonly z.ZodType[]): unknown {
  const values = options.map((option) => absentValue(option));
  return values.find((value) => value === null) ?? values[0] ?? null;
}
