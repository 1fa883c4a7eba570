import type { FieldProblem } from '../errors/invalid-input.js';
import { isObject, type JsonObject } from '../json.js';
import type { DeclaredSection, displaySchema } from './display-schema.js';
import { fieldNames, schemaField, withoutNull, type SchemaField } from './payload-schema.js';
import type { z } from 'zod';

/** What is known about the values that the paths of a display name. */
export interface DisplaySources {
  /** JSON Schema of the payload; null: the kind declares none. */
  payload: JsonObject | null;
  /** Wire names of the tools that a run may ask. */
  tools: readonly string[];
  /** JSON Schema of the answer; null: unknown. */
  answer: JsonObject | null;
  /** Fields of the outcome; null: unknown. */
  outcome: readonly string[] | null;
}

type Needed = 'any' | 'list';

/** Returns the problems of a display: paths of fields and tools that there are not, and lists that are none. */
export function displayProblems(
  { title = [], line = [], sections = [] }: z.output<typeof displaySchema>,
  sources: DisplaySources,
): FieldProblem[] {
  const at = (path: string, message: string | null): FieldProblem[] =>
    message === null ? [] : [{ path, message }];
  const named = (list: readonly string[], of: string) =>
    list.flatMap((path, i) => at(list.length === 1 ? of : `${of}[${i}]`, pathProblem(path, 'any', sources)));
  return [
    ...named(title, 'title'),
    ...named(line, 'line'),
    ...sections.flatMap((section, i) =>
      sectionProblems(section, sources).map(({ path, message }) => ({
        path: `sections[${i}].${path}`,
        message,
      })),
    ),
  ];
}

function sectionProblems(section: DeclaredSection, sources: DisplaySources): FieldProblem[] {
  const { show } = section;
  if (show === 'image') return [];
  const of = (path: string, needed: Needed, at = 'of') => {
    const message = pathProblem(path, needed, sources);
    return message === null ? [] : [{ path: at, message }];
  };
  if (show === 'text') return of(section.of, 'any');
  if (show === 'facts' || show === 'badges')
    return section.of.flatMap((one, i) => of(typeof one === 'string' ? one : one.path, 'any', `of[${i}]`));
  const problems = of(section.of, 'list');
  if (problems.length > 0) return problems;
  const item = itemOf(fieldAt(section.of, sources));
  return Object.entries(partsOf(section)).flatMap(([at, part]) => {
    const message = part === undefined ? null : fieldProblem(item, part.split('.'), 'an item');
    return message === null ? [] : [{ path: at, message }];
  });
}

type ListSection = Exclude<DeclaredSection, { show: 'text' | 'facts' | 'badges' | 'image' }>;

/** Returns the paths within an item, by their place in the section. */
function partsOf(section: ListSection): Record<string, string | undefined> {
  const labelled = (name: string, list: readonly (string | { path: string })[]) =>
    list.map((one, i) => [`${name}[${i}]`, typeof one === 'string' ? one : one.path] as const);
  if (section.show === 'table') return Object.fromEntries(labelled('columns', section.columns));
  if (section.show === 'chart')
    return { at: section.at, ...Object.fromEntries(labelled('values', section.values)) };
  if (section.show === 'timeline') return { at: section.at, text: section.text, evidence: section.evidence };
  return { quote: section.quote, evidence: section.evidence };
}

/** Returns what was expected in place of a path; null: the path is right, or nothing is known about its field. */
function pathProblem(path: string, needed: Needed, sources: DisplaySources): string | null {
  const [root, ...names] = path.split('.');
  if (root === 'evidence') {
    const { tools } = sources;
    const [tool = ''] = names;
    return tools.includes(tool)
      ? null
      : `expected a tool of the kind (${tools.join(', ') || 'it has none'}), found ${tool}`;
  }
  if (root === 'outcome' && sources.outcome !== null && !sources.outcome.includes(names[0]!))
    return `expected a field of the outcome (${sources.outcome.join(', ')}), found ${names[0]}`;
  if (root === 'payload' && sources.payload === null)
    return 'expected a kind that declares the schema of its payload';
  const schema = root === 'payload' ? sources.payload : root === 'answer' ? sources.answer : null;
  if (schema !== null) {
    const problem = fieldProblem(schema, names, root === 'payload' ? 'the payload' : 'the answer');
    if (problem !== null) return problem;
  }
  const field = fieldAt(path, sources);
  if (needed === 'any' || field === null || field === 'any') return null;
  const { type } = withoutNull(field);
  return type === undefined || type === 'array'
    ? null
    : `expected a list, found a value of type ${String(type)}`;
}

function fieldAt(path: string, { payload, answer }: DisplaySources): SchemaField {
  const [root, ...names] = path.split('.');
  const schema = root === 'payload' ? payload : root === 'answer' ? answer : null;
  return schema === null ? 'any' : schemaField(schema, names);
}

function itemOf(list: SchemaField): JsonObject | null {
  return isObject(list) && isObject(list['items']) ? list['items'] : null;
}

function fieldProblem(schema: JsonObject | null, names: readonly string[], of: string): string | null {
  if (schema === null || schemaField(schema, names) !== null) return null;
  const depth = names.findIndex((_, i) => schemaField(schema, names.slice(0, i + 1)) === null);
  const above = names.slice(0, depth);
  const around = schemaField(schema, above);
  const known = isObject(around) ? fieldNames(around) : [];
  const where = above.length === 0 ? of : `${above.join('.')} of ${of}`;
  return `expected a field of ${where} (${known.join(', ') || 'it has none'}), found ${names[depth]}`;
}
