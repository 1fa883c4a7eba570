import { jsonObjectSchema, reasoningSwitchSchema, z } from '@casefile/contracts';
import { DEFAULT_TAGS } from './reasoning-tags.js';

/** The wire protocols that can be spoken; each is one file in `providers/`. */
export const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const variableSchema = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'expected the name of an environment variable');

/** List prices in US dollars per million tokens. `input` is for what was not in the provider's cache. */
export const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached: z.number().nonnegative().optional(),
});
export type Price = z.infer<typeof priceSchema>;

/** Whose prices are looked up in the bundled price list when the entry itself names none for a model. */
export const PRICE_LISTS = [
  'openai',
  'xai',
  'deepseek',
  'google',
  'openrouter',
  'anthropic',
  'groq',
] as const;
export type PriceList = (typeof PRICE_LISTS)[number];

export const limitsSchema = z.strictObject({
  /**
   * Calls under way at once, over all workers; null: as many as the stages have slots. Any limit costs two short
   * questions to the store a call.
   */
  concurrency: z.number().int().min(1).nullable().default(null),
  /** Calls a minute over all workers; null: the provider's own limit is not known. */
  requestsPerMinute: z.number().int().min(1).nullable().default(null),
  /** Tokens a minute over all workers, input and output together; null: not known. */
  tokensPerMinute: z.number().int().min(1).nullable().default(null),
  /** The most that is read of one response, in bytes: 16,000 tokens of reasoning with an encrypted copy are under 200 kB. */
  responseBytes: z.number().int().min(1_000).default(2_000_000),
});

/** One provider as configuration has it. S2-01. */
export const providerEntrySchema = z.strictObject({
  protocol: z.enum(PROTOCOLS),
  baseUrl: z.url({ protocol: /^https?$/, error: 'expected an http(s) URL' }),
  model: z.string().min(1).max(200),
  /** The environment variable that holds the key; null: none is needed. */
  keyVariable: variableSchema.nullable(),
  /** The environment variable that replaces `baseUrl`; by default made from `keyVariable` or the name. */
  baseUrlVariable: variableSchema.optional(),
  /** Encourage thinking aloud in prompts of the kind tool selection. Not given: off, with a warning. */
  enableReasoning: z.boolean().optional(),
  /** Goes into the call as it is. */
  reasoningParams: jsonObjectSchema.optional(),
  /** Goes into the call in its place where a run has reasoning switched off: what makes a model answer at once. S2-07. */
  reasoningOff: jsonObjectSchema.optional(),
  /** For which kinds of prompts its models are to think; not given: for all. A playbook can switch it off as well. S2-07. */
  reasoning: reasoningSwitchSchema.optional(),
  /**
   * Output tokens for thoughts, sent and reserved beside the visible answer; for models that think unasked. Not given: what
   * `reasoningParams` ask for. 0: this server counts only the answer. S2-06.
   */
  thinkingRoom: z.number().int().min(0).max(200_000).optional(),
  /** Tags in which models of this provider write their reasoning: names (`think` is `<think>`), or pairs of marks. */
  reasoningTags: z
    .array(
      z.union([
        z.string().regex(/^[A-Za-z][A-Za-z0-9_:.-]{0,31}$/, 'expected the name of a tag'),
        z.strictObject({ open: z.string().min(2).max(60), close: z.string().min(2).max(60) }),
      ]),
    )
    .max(40)
    .default([...DEFAULT_TAGS]),
  /** Use the streamed wire: an answer is then heard piece by piece, and a cut one is kept as far as it came. */
  stream: z.boolean().default(false),
  /**
   * Reasoning fields of a chat message that go back with a turn that has tool calls. Others are not sent: servers
   * differ in what they take. Of `openai-chat` alone; the other protocols have a rule for it.
   */
  sendsBack: z
    .array(z.enum(['reasoning_content', 'reasoning', 'reasoning_details', 'encrypted_content']))
    .default(['reasoning_content', 'reasoning_details', 'encrypted_content']),
  structuredOutput: z.enum(['json_schema', 'json_object', 'none']).default('none'),
  /** Have the arguments of tools held to their schemas, where a schema allows it as it stands. Some servers refuse to be
   * asked. Of `openai-chat` and `anthropic`: the Responses API has it by default, Gemini not at all. */
  strictTools: z.boolean().default(false),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
  /** false for models that refuse a temperature. */
  sendsTemperature: z.boolean().default(true),
  /** By model name; `*` for every model. Wins over the bundled price list. */
  prices: z.record(z.string(), priceSchema).default({}),
  priceList: z.enum(PRICE_LISTS).nullable().default(null),
  /** For one call as a whole, body included, in milliseconds. */
  timeoutMs: z.number().int().min(1).max(600_000).default(60_000),
  limits: limitsSchema.prefault({}),
});

/** One provider of the table, its defaults filled in. */
export interface ProviderEntry extends z.infer<typeof providerEntrySchema> {
  name: string;
}
