import { parseInput, z } from '@casefile/contracts';
import { AGENT_FAULTS } from './agent/agent-faults.js';
import { policyAnswerSchema, SAMPLE_ANSWERS } from './agent/policy-answers.js';
import { MANNERS } from './manners.js';
import { REASONING_FIELDS } from './wires/openai-chat-reasoning.js';

const delayMs = z.number().int().min(0).max(3_600_000).default(0);
const toolCallSchema = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });
/** Some servers state counts as texts. */
const countSchema = z.union([z.number(), z.string().transform((text) => text as unknown as number)]);
const usageSchema = z.strictObject({
  input: countSchema,
  output: countSchema,
  reasoning: z.number(),
  cached: z.number(),
});

/** Behaviour for one call. */
export const behaviourSchema = z.discriminatedUnion('kind', [
  /** Answer made by rules from the prompt. */
  z.strictObject({ kind: z.literal('rules'), manner: z.enum(MANNERS).optional(), delayMs }),
  /** Obeys every instruction in the prompt's outside text. */
  z.strictObject({ kind: z.literal('compromised'), delayMs }),
  /** An agent with tools. Without a fault, or after the fault has ended, it follows the rules. */
  z.strictObject({
    kind: z.literal('agent'),
    fault: z.enum(AGENT_FAULTS).optional(),
    /**
     * Number of turns that the fault lasts, from the first turn on. Default: 4 for `fixed-turns`, 1 for
     * `twelve-calls`, otherwise unlimited. `fixed-turns` finishes in the last of these turns.
     */
    n: z.number().int().min(1).max(1_000).optional(),
    delayMs,
  }),
  z.strictObject({
    kind: z.literal('answer'),
    content: z.string(),
    /** One part, or several parts. */
    reasoning: z.union([z.string(), z.array(z.string())]).optional(),
    /** Whether the reasoning is sealed: encrypted, redacted, or only a signature. */
    redacted: z.boolean().optional(),
    toolCalls: z.array(toolCallSchema).optional(),
    usage: usageSchema.optional(),
    finishReason: z.string().optional(),
    refusal: z.string().optional(),
    delayMs,
  }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int().min(300).max(599),
    code: z.string().optional(),
    message: z.string().optional(),
    retryAfterS: z.number().nonnegative().optional(),
    /**
     * true: the status is 200 and the body reports the failure, after half of a stream or instead of an
     * answer.
     */
    late: z.boolean().optional(),
    delayMs,
  }),
  /** `hang` never answers. `cut` breaks the connection within the body. */
  z.strictObject({ kind: z.enum(['hang', 'cut', 'malformed', 'empty', 'redirect', 'html']), delayMs }),
  z.strictObject({ kind: z.literal('huge'), megabytes: z.number().int().min(1).max(1_000), delayMs }),
  /** Sends this body unchanged, whatever the request is: replays a recorded answer of a real provider. */
  z.strictObject({
    kind: z.literal('raw'),
    text: z.string(),
    status: z.number().int().min(200).max(599).default(200),
    contentType: z.string().default('application/json'),
    delayMs,
  }),
]);
export type Behaviour = z.infer<typeof behaviourSchema>;
export type BehaviourInput = z.input<typeof behaviourSchema>;

/** Faults that can be mixed in, each with a percentage of all calls. */
export const FAULTS = {
  rateLimited: { kind: 'status', status: 429, retryAfterS: 1, delayMs: 0 },
  serverError: { kind: 'status', status: 500, delayMs: 0 },
  overloaded: { kind: 'status', status: 529, retryAfterS: 1, delayMs: 0 },
  quota: { kind: 'status', status: 429, code: 'insufficient_quota', delayMs: 0 },
  hang: { kind: 'hang', delayMs: 0 },
  cut: { kind: 'cut', delayMs: 0 },
  malformed: { kind: 'malformed', delayMs: 0 },
  empty: { kind: 'empty', delayMs: 0 },
  slow: { kind: 'rules', delayMs: 20_000 },
  fenced: { kind: 'rules', manner: 'fenced', delayMs: 0 },
  wordy: { kind: 'rules', manner: 'wordy', delayMs: 0 },
  wrong: { kind: 'rules', manner: 'wrong', delayMs: 0 },
  thoughtful: { kind: 'rules', manner: 'thoughtful', delayMs: 0 },
} as const satisfies Record<string, Behaviour>;
export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** The storm: 30 % rate limits, 10 % server errors, 5 % each for hang, cut and malformed, 2 % empty. */
export const STORM: Partial<Record<FaultName, number>> = {
  rateLimited: 30,
  serverError: 6,
  overloaded: 4,
  hang: 5,
  cut: 5,
  malformed: 5,
  empty: 2,
};

const faultsSchema = z
  .strictObject({
    seed: z.number().int(),
    percent: z.partialRecord(z.enum(FAULT_NAMES), z.number().min(0).max(100)).default(STORM),
    /** Value of Retry-After in seconds, for the faults that have one. */
    retryAfterS: z.number().nonnegative().default(1),
  })
  .refine(({ percent }) => Object.values(percent).reduce((sum, share) => sum + share, 0) <= 100, {
    path: ['percent'],
    message: 'expected shares of 100 at most together',
  });

/** Behaviour of the simulator on every wire: the replies in order, then `then` for every further call. */
export const scriptSchema = z.strictObject({
  replies: z.array(behaviourSchema).default([]),
  then: behaviourSchema.prefault({ kind: 'rules' }),
  /** Answers of the agent for criteria of policies. Default: those for the bundled sample cases. */
  policyAnswers: z.array(policyAnswerSchema).default(SAMPLE_ANSWERS),
  /** Delay added to every call. */
  delayMs,
  /** Mixed into the calls that get `then`, and into embeddings. Default of `percent`: the storm. */
  faults: faultsSchema.optional(),
  /** The only accepted key. Default: any key, or no key for servers that need none. */
  key: z.string().optional(),
  chat: z
    .strictObject({
      /** Field that contains the reasoning. */
      reasoningField: z.enum(REASONING_FIELDS).default('reasoning_content'),
      /** true: like DeepSeek, refuses a tool turn that comes back without its `reasoning_content`. */
      requireReasoning: z.boolean().default(false),
    })
    .prefault({}),
  embeddings: z
    .strictObject({
      /** Default for requests that do not set the dimensions. */
      dimensions: z.number().int().min(1).max(8192).default(256),
      /** Behaviours of the next embeddings calls. The outer `replies` apply to all other calls. */
      replies: z.array(behaviourSchema).default([]),
    })
    .prefault({}),
});
export type Script = z.infer<typeof scriptSchema>;
export type ScriptInput = z.input<typeof scriptSchema>;

/** @throws InvalidInput that names every wrong field. */
export const readScript = (input: unknown): Script => parseInput(scriptSchema, input, 'script');
