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

/**
 * Bounds that models keep to unasked: every turn would be charged for saying them. Arguments with a default are left
 * out as well, for the default is what is wanted.
 */
const UNSAID = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'additionalProperties',
];

// Every turn offers the same tools, and translating them was more than half of a turn's own work: it is done once.
const made = new WeakMap<z.ZodType, JsonObject>();

// What is called is held to the whole schema all the same.
function parametersOf(schema: z.ZodType): JsonObject {
  const before = made.get(schema);
  if (before !== undefined) return before;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const name of UNSAID) delete jsonSchema[name as keyof typeof jsonSchema];
      const given = Object.entries(jsonSchema.properties ?? {});
      for (const [name, one] of given)
        if (typeof one === 'object' && 'default' in one) delete jsonSchema.properties?.[name];
    },
  }) as JsonObject;
  made.set(schema, parameters);
  return parameters;
}
