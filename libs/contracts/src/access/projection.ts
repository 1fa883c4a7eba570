import type { z } from 'zod';
import { accessOf, type FieldAccess, type FieldClass, type GuardOptions } from './field-class.js';

/** Projection of a value of a schema. */
export type Projection = OpenProjection | WithheldProjection | PartsProjection;

/** Every role reads the value. */
interface OpenProjection {
  kind: 'open';
}

/** Roles that do not read the class get `absent` instead. */
export interface WithheldProjection extends GuardOptions {
  kind: 'withheld';
  fieldClass: FieldClass;
  /** undefined: the field is left out. */
  absent: unknown;
}

/** The value is read part by part. A part without a projection is left out. */
export interface PartsProjection {
  kind: 'parts';
  /** Whether the value may be a text, number or boolean. */
  scalar: boolean;
  items: Projection | null;
  fields: Map<string, Projection>;
  /** Projection of keys that are not listed. */
  otherKeys: Projection | null;
}

/** The projection of a schema, with the facts that a check of schemas needs. */
export interface CompiledProjection {
  projection: Projection;
  classes: ReadonlySet<FieldClass>;
  /** Paths of free JSON that has neither a class nor a reason to be open. */
  undeclared: readonly string[];
  /** Paths of guarded fields. */
  guarded: readonly { path: string; fieldClass: FieldClass; options: GuardOptions }[];
  /** Paths of texts that every role reads. */
  openTexts: readonly string[];
  /** Paths of free JSON that every role reads, with the reason. */
  openJson: readonly { path: string; because: string }[];
}

/** The parts of a zod definition that a projection is made from. */
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

const parts = (some: Partial<PartsProjection>): PartsProjection => ({
  kind: 'parts',
  scalar: false,
  items: null,
  fields: new Map(),
  otherKeys: null,
  ...some,
});

/**
 * Compiles a schema. Free JSON and parts of unknown types are withheld like personal fields, so that a
 * forgotten class shows nothing.
 */
export function compileProjection(schema: z.ZodType): CompiledProjection {
  return new Compiler().compile(schema);
}

class Compiler {
  private readonly guarded: { path: string; fieldClass: FieldClass; options: GuardOptions }[] = [];
  private readonly undeclared: string[] = [];
  private readonly openTexts: string[] = [];
  private readonly openJson: { path: string; because: string }[] = [];
  /** Schemas that refer to themselves. */
  private readonly lazies = new Map<z.ZodType, PartsProjection>();

  compile(schema: z.ZodType): CompiledProjection {
    const projection = this.compileField(schema, '');
    const { guarded, undeclared, openTexts, openJson } = this;
    const classes = new Set(guarded.map(({ fieldClass }) => fieldClass));
    if (undeclared.length > 0) classes.add('personal');
    return { projection, classes, guarded, undeclared, openTexts, openJson };
  }

  private compileField(schema: z.ZodType, path: string): Projection {
    const access = accessOf(schema);
    if (access !== undefined) return this.declaredProjection(schema, path, access);
    const def = definitionOf(schema);
    if (TEXTS.includes(def.type)) {
      this.openTexts.push(path);
      return parts({ scalar: true });
    }
    if (PLAIN.includes(def.type)) return parts({ scalar: true });
    if (WRAPPERS.includes(def.type) && def.innerType !== undefined) return this.wrapped(def, path);
    switch (def.type) {
      case 'object':
        return this.objectProjection(def, path);
      case 'array':
        return parts({ items: this.optionalProjection(def.element, `${path}[]`) });
      case 'tuple':
        return parts({
          items: merged(
            [...(def.items ?? []), def.rest ?? []].flat().map((it) => this.compileField(it, `${path}[]`)),
          ),
        });
      case 'record':
        return parts({ otherKeys: this.optionalProjection(def.valueType, `${path}.*`) });
      case 'union':
        return merged((def.options ?? []).map((option) => this.compileField(option, path)));
      case 'intersection':
        return merged([def.left, def.right].map((side) => this.optionalProjection(side, path)));
      case 'pipe':
        return this.optionalProjection(def.out, path);
      case 'lazy':
        return this.lazyProjection(schema, def, path);
      default:
        return this.free(path);
    }
  }

  private declaredProjection(schema: z.ZodType, path: string, access: FieldAccess): Projection {
    if ('openBecause' in access) {
      this.openJson.push({ path, because: access.openBecause });
      return { kind: 'open' };
    }
    const { fieldClass, ...options } = access;
    this.guarded.push({ path, fieldClass, options });
    return { kind: 'withheld', fieldClass, absent: absentValue(schema), ...options };
  }

  private wrapped({ type, innerType }: Definition, path: string): Projection {
    const projection = this.optionalProjection(innerType, path);
    if (projection.kind !== 'withheld') return projection;
    if (type === 'optional') return { ...projection, absent: undefined };
    return type === 'nullable' ? { ...projection, absent: null } : projection;
  }

  private objectProjection({ shape = {}, catchall }: Definition, path: string): Projection {
    const prefix = path === '' ? '' : `${path}.`;
    const fields = new Map(
      Object.entries(shape).map(([key, field]) => [key, this.compileField(field, prefix + key)] as const),
    );
    const isClosed = catchall === undefined || definitionOf(catchall).type === 'never';
    return parts({ fields, otherKeys: isClosed ? null : this.compileField(catchall, `${prefix}*`) });
  }

  // The projection is completed after its parts, which may refer to it.
  private lazyProjection(schema: z.ZodType, { getter }: Definition, path: string): Projection {
    const cached = this.lazies.get(schema);
    if (cached !== undefined) return cached;
    const projection = parts({});
    this.lazies.set(schema, projection);
    const inner = this.optionalProjection(getter?.(), path);
    if (inner.kind !== 'parts') return inner;
    return Object.assign(projection, inner);
  }

  private optionalProjection(schema: z.ZodType | undefined, path: string): Projection {
    return schema === undefined ? this.free(path) : this.compileField(schema, path);
  }

  private free(path: string): Projection {
    this.undeclared.push(path);
    return { kind: 'withheld', fieldClass: 'personal', absent: null };
  }
}

// The strictest projection wins: what one alternative withholds is withheld in all of them.
function merged(projections: readonly Projection[]): Projection {
  return projections.reduce((one, other) => mergedPair(one, other), parts({}));
}

function mergedPair(one: Projection, other: Projection): Projection {
  if (one.kind === 'withheld') return one;
  if (other.kind === 'withheld') return other;
  if (one.kind === 'open') return isEmpty(other) ? one : other;
  if (other.kind === 'open') return isEmpty(one) ? other : one;
  const fields = new Map(one.fields);
  for (const [key, projection] of other.fields) {
    const earlier = fields.get(key);
    fields.set(key, earlier === undefined ? projection : mergedPair(earlier, projection));
  }
  return parts({
    scalar: one.scalar || other.scalar,
    items: either(one.items, other.items),
    fields,
    otherKeys: either(one.otherKeys, other.otherKeys),
  });
}

function either(one: Projection | null, other: Projection | null): Projection | null {
  if (one === null || other === null) return one ?? other;
  return mergedPair(one, other);
}

function isEmpty(projection: Projection): boolean {
  return (
    projection.kind === 'parts' &&
    !projection.scalar &&
    projection.items === null &&
    projection.otherKeys === null &&
    projection.fields.size === 0
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
