import { CasefileError, z, type JsonObject, type ModelToolSpec } from '@casefile/contracts';
import type { StagePorts } from '../stage-ports.js';
import type { Controller } from './controller.js';

/**
 * The tools as a model is offered them: those of the controller, and the one that finishes; `finishing`: that one
 * alone.
 * @throws CasefileError `unknown_tool`: the playbook names a tool that this process does not have.
 */
export function toolSpecs(
  { tools, finish }: Controller,
  { tools: known }: Pick<StagePorts, 'tools'>,
  finishing: boolean,
): ModelToolSpec[] {
  const { name, description, parameters } = finish;
  const offered = finishing ? [] : tools.map((tool) => specOf(tool, known));
  return [...offered, { name, description, parameters }];
}

function specOf(name: string, tools: StagePorts['tools']): ModelToolSpec {
  const described = tools.describe(name);
  if (described === null) throw new CasefileError('unknown_tool', `There is no tool "${name}"`);
  return { name, description: described.description, parameters: parametersOf(described.asks) };
}

/** How long a text or list may be: models keep to it unasked, and every turn would be charged for saying it. */
const LENGTHS = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;

// Every turn offers the same tools, and translating them was more than half of a turn's own work: it is done once.
const made = new WeakMap<z.ZodType, JsonObject>();

// What is called is held to the whole schema all the same.
function parametersOf(schema: z.ZodType): JsonObject {
  const before = made.get(schema);
  if (before !== undefined) return before;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const name of LENGTHS) delete jsonSchema[name];
    },
  }) as JsonObject;
  made.set(schema, parameters);
  return parameters;
}
