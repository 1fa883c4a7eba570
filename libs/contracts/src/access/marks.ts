import { z } from 'zod';
import { includesRole, type Role } from './caller.js';

/**
 * Classes of guarded fields. `reasoning`: prompts, answers and thoughts of models. `personal`: messages,
 * evidence, notes of people. `secret`: keys and passwords.
 */
export const MARKS = ['reasoning', 'personal', 'secret'] as const;
export type Mark = (typeof MARKS)[number];

/** Lowest role that reads the fields of a class. null: no role does. */
export const ROLE_FOR_MARK: Readonly<Record<Mark, Role | null>> = {
  reasoning: 'reviewer',
  personal: 'reviewer',
  secret: null,
};

/** Returns whether a role reads the fields of a class. A program without a role reads none of them. */
export function readsMark(role: Role | null, mark: Mark): boolean {
  const required = ROLE_FOR_MARK[mark];
  return required !== null && includesRole(role, required);
}

export interface MarkOptions {
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

/** What is known about a schema: its mark, or why every role reads its free JSON. */
export type FieldMark = ({ mark: Mark } & MarkOptions) | OpenMark;

/** Every role reads the free JSON. */
export interface OpenMark {
  openBecause: string;
}

/** Marks of schemas. A schema that is made from a marked one by `describe` or a check has its mark as well. */
const marks = z.registry<FieldMark>();

/** Returns the mark of a schema, or undefined. */
export function markOf(schema: z.ZodType): FieldMark | undefined {
  return marks.get(schema);
}

// A copy is marked, because the same schema may describe other fields, too.
function copyWith<T extends z.ZodType>(schema: T, mark: FieldMark): T {
  const copy = schema.clone(schema.def as never, { parent: true }) as T;
  marks.add(copy, mark);
  return copy;
}

/** Marks a field that holds a prompt, an answer or thoughts of a model. */
export function reasoning<T extends z.ZodType>(schema: T, options: MarkOptions = {}): T {
  return copyWith(schema, { mark: 'reasoning', ...options });
}

/** Marks a field that holds words or data of people: messages, evidence, notes. */
export function personal<T extends z.ZodType>(schema: T, options: MarkOptions = {}): T {
  return copyWith(schema, { mark: 'personal', ...options });
}

/** Marks a field that no role may read. */
export function secret<T extends z.ZodType>(schema: T): T {
  return copyWith(schema, { mark: 'secret' });
}

/**
 * Declares that every role reads a field of free JSON. Free JSON without a mark and without this declaration
 * is withheld like a personal field.
 * @param because the reason why it holds no guarded data.
 */
export function readByAll<T extends z.ZodType>(schema: T, because: string): T {
  return copyWith(schema, { openBecause: because });
}

/** Hint at the root of an answer. */
export const withheldSchema = z
  .array(z.enum(MARKS))
  .optional()
  .describe(
    'Classes of fields that the role of the caller may not read and that are therefore empty here: `reasoning` and `personal` need the role `reviewer`. Default: none.',
  );
