import { z } from 'zod';
import { includesRole, type Role } from './caller.js';

/**
 * Classes of guarded fields. `reasoning`: prompts, answers and thoughts of models. `personal`: messages,
 * evidence, notes of people. `secret`: keys and passwords.
 */
export const FIELD_CLASSES = ['reasoning', 'personal', 'secret'] as const;
export type FieldClass = (typeof FIELD_CLASSES)[number];

/** Lowest role that reads the fields of a class. null: no role does. */
export const ROLE_FOR_CLASS: Readonly<Record<FieldClass, Role | null>> = {
  reasoning: 'reviewer',
  personal: 'reviewer',
  secret: null,
};

/** Returns whether a role reads the fields of a class. A program without a role reads none of them. */
export function readsClass(role: Role | null, fieldClass: FieldClass): boolean {
  const required = ROLE_FOR_CLASS[fieldClass];
  return required !== null && includesRole(role, required);
}

export interface GuardOptions {
  /** Keys of a free value whose numbers, codes and names every role reads. Default: none. */
  keep?: readonly string[];
  /** Every role reads the value if this field of the same object has one of these values. Default: never. */
  unless?: { field: string; is: readonly string[] };
  /**
   * Every role reads the numbers, booleans and codes directly in a free value. Codes are the texts of the set that
   * `project` gets, so no text of an alert is among them. Default: none.
   */
  codes?: true;
}

/** What is declared about a schema: its class, or why every role reads its free JSON. */
export type FieldAccess = ({ fieldClass: FieldClass } & GuardOptions) | OpenField;

/** Every role reads the free JSON. */
export interface OpenField {
  openBecause: string;
}

/** Declarations by schema. A schema that is made from a declared one by `describe` or a check has the same. */
const declarations = z.registry<FieldAccess>();

/** Returns what is declared about a schema, or undefined. */
export function accessOf(schema: z.ZodType): FieldAccess | undefined {
  return declarations.get(schema);
}

// A copy is declared, because the same schema may describe other fields, too.
function copyWith<T extends z.ZodType>(schema: T, access: FieldAccess): T {
  const copy = schema.clone(schema.def as never, { parent: true }) as T;
  declarations.add(copy, access);
  return copy;
}

/** Guards a field that holds a prompt, an answer or thoughts of a model. */
export function reasoning<T extends z.ZodType>(schema: T, options: GuardOptions = {}): T {
  return copyWith(schema, { fieldClass: 'reasoning', ...options });
}

/** Guards a field that holds words or data of people: messages, evidence, notes. */
export function personal<T extends z.ZodType>(schema: T, options: GuardOptions = {}): T {
  return copyWith(schema, { fieldClass: 'personal', ...options });
}

/** Guards a field that no role may read. */
export function secret<T extends z.ZodType>(schema: T): T {
  return copyWith(schema, { fieldClass: 'secret' });
}

/**
 * Declares that every role reads a field of free JSON. Free JSON without a class and without this declaration
 * is withheld like a personal field.
 * @param because the reason why it holds no guarded data.
 */
export function readByAll<T extends z.ZodType>(schema: T, because: string): T {
  return copyWith(schema, { openBecause: because });
}

/** Hint at the root of an answer. */
export const withheldSchema = z
  .array(z.enum(FIELD_CLASSES))
  .optional()
  .describe(
    'Classes of fields that the role of the caller may not read and that are therefore empty here: `reasoning` and `personal` need the role `reviewer`. Default: none.',
  );
