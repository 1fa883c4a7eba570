import {
  CasefileError,
  z,
  type JsonObject,
  type ModelRequest,
  type ModelToolSpec,
} from '@casefile/contracts';
import type { StagePorts } from '../../stage-ports.js';
import type { ReasonInput } from '../../strategy.js';
import type { Controller, TurnOptions } from './controller.js';
import type { TurnsBefore } from './guide.js';
import type { LoopState, TurnPorts } from './turn-state.js';

/** The text of a controller's prompt. */
export const turnText = ({ controller, ports }: TurnPorts) => ports.prompts.of(controller.prompt);

/** Builds the request of a turn; `finishing`: the model may only finish. */
export function turnRequest(
  at: TurnPorts,
  state: LoopState,
  iteration: number,
  finishing: boolean,
): ModelRequest {
  const { controller, input, ports, options } = at;
  const text = turnText(at);
  const { promptId, last } = finishing
    ? { promptId: text.id, last: text.render({ 'finish-now': {} }) }
    : turnFurther(at, state, iteration);
  return {
    promptId,
    kind: finishing ? 'answer' : 'tool-selection',
    messages: [...state.messages, ...(last === null ? [] : [{ role: 'user' as const, content: last }])],
    tools: toolSpecs({ ...controller, tools: controllerTools(controller, input) }, ports, finishing),
    ...(finishing ? { toolChoice: 'required' as const } : {}),
    maxOutputTokens: options.maxOutputTokens,
    temperature: 0,
  };
}

function turnFurther(at: TurnPorts, state: LoopState, iteration: number) {
  const { controller, input, ports, options } = at;
  const further =
    iteration === 1
      ? undefined
      : controller.further?.(turnsBefore(state, iteration - 1, options), input, ports.prompts);
  return { promptId: further?.promptId ?? turnText(at).id, last: further?.text ?? null };
}

/** Turns so far, as passed to hooks of a controller. */
export function turnsBefore({ calls, trace }: LoopState, taken: number, options: TurnOptions): TurnsBefore {
  return { taken, left: Math.max(0, options.maxIterations - taken), calls, trace };
}

/**
 * Tools offered to a model: those of the controller, the call of its plan and the finish call; `finishing`: only the
 * finish call.
 * @throws CasefileError `unknown_tool`: the playbook names a tool that this process does not have.
 */
export function toolSpecs(
  { tools, finish, guide }: Pick<Controller, 'finish' | 'guide'> & { tools: readonly string[] },
  { tools: known }: Pick<StagePorts, 'tools'>,
  finishing: boolean,
): ModelToolSpec[] {
  const { name, description, parameters } = finish;
  const offered = finishing ? [] : tools.map((tool) => nameSpec(tool, known));
  const plan = finishing || guide === undefined ? [] : [callSpec(guide.plan)];
  return [...offered, ...plan, { name, description, parameters }];
}

const callSpec = ({ name, description, parameters }: ModelToolSpec): ModelToolSpec => ({
  name,
  description,
  parameters,
});

/** Wire names of the tools that a controller offers in this case. */
export function controllerTools({ tools }: Controller, input: ReasonInput): readonly string[] {
  return typeof tools === 'function' ? tools(input) : tools;
}

function nameSpec(name: string, tools: StagePorts['tools']): ModelToolSpec {
  const described = tools.describe(name);
  if (described === null) throw new CasefileError('unknown_tool', `There is no tool "${name}"`);
  const { description, asks, parameters = schemaParameters(asks) } = described;
  return { name, description, parameters };
}

/**
 * Keywords that are left out of schemas, because models respect these bounds unasked and every turn is
 * charged for them. Arguments with a default are left out too, so that models use the default.
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

// Cached, because every turn offers the same tools, and translating them took more than half of a turn's
// time.
const made = new WeakMap<z.ZodType, JsonObject>();

// The calls are still validated against the whole schema.
function schemaParameters(schema: z.ZodType): JsonObject {
  const before = made.get(schema);
  if (before !== undefined) return before;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const name of UNSAID) delete jsonSchema[name as keyof typeof jsonSchema];
      const properties = Object.entries(jsonSchema.properties ?? {});
      for (const [name, one] of properties)
        if (typeof one === 'object' && 'default' in one) delete jsonSchema.properties?.[name];
    },
  }) as JsonObject;
  made.set(schema, parameters);
  return parameters;
}
