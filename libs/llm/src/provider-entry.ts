import { jsonObjectSchema, reasoningSwitchSchema, z } from '@casefile/contracts';
import { DEFAULT_TAGS } from './reasoning-tags.js';

/** Supported wire protocols; each is one file in `providers/`. */
export const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const variableSchema = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'expected the name of an environment variable');

/**
 * List prices in US dollars per million tokens. `input` is the price of input that was not cached by the
 * provider.
 */
export const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached: z.number().nonnegative().optional(),
  /** Input that the provider writes into its cache. Default: the price of input. */
  written: z.number().nonnegative().optional(),
});
export type Price = z.infer<typeof priceSchema>;

/** Vendors in the bundled price list, used if the entry has no price for a model. */
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
   * Concurrent calls over all workers; null: as many as the stages have slots. A limit costs two short store
   * queries per call.
   */
  concurrency: z.number().int().min(1).nullable().default(null),
  /** Calls per minute over all workers; null: the provider's limit is not known. */
  requestsPerMinute: z.number().int().min(1).nullable().default(null),
  /** Tokens per minute over all workers, input and output together; null: not known. */
  tokensPerMinute: z.number().int().min(1).nullable().default(null),
  /** Most bytes read of one response: 16,000 tokens of reasoning with an encrypted copy are under 200 kB. */
  responseBytes: z.number().int().min(1_000).default(2_000_000),
});

/** One provider in the configuration. */
export const providerEntrySchema = z.strictObject({
  protocol: z.enum(PROTOCOLS),
  baseUrl: z.url({ protocol: /^https?$/, error: 'expected an http(s) URL' }),
  model: z.string().min(1).max(200),
  /** Environment variable that holds the key; null: the server needs no key. */
  keyVariable: variableSchema.nullable(),
  /** Environment variable that replaces `baseUrl`. Default: derived from `keyVariable` or the name. */
  baseUrlVariable: variableSchema.optional(),
  /** Encourages thinking aloud in prompts of the kind tool selection. Default: off, with a warning. */
  enableReasoning: z.boolean().optional(),
  /** Added to the call unchanged. */
  reasoningParams: jsonObjectSchema.optional(),
  /**
   * Replaces `reasoningParams` if a run has reasoning switched off, so that the model answers immediately.
   */
  reasoningOff: jsonObjectSchema.optional(),
  /** Kinds of prompts for which its models think. Default: all. A playbook can switch reasoning off too. */
  reasoning: reasoningSwitchSchema.optional(),
  /**
   * Output tokens for thoughts, sent and reserved in addition to the visible answer, for models that think
   * unasked. Default: derived from `reasoningParams`. 0: this server counts only the answer.
   */
  thinkingRoom: z.number().int().min(0).max(200_000).optional(),
  /**
   * Tags in which models of this provider write their reasoning: names (`think` is `<think>`), or pairs of
   * marks.
   */
  reasoningTags: z
    .array(
      z.union([
        z.string().regex(/^[A-Za-z][A-Za-z0-9_:.-]{0,31}$/, 'expected the name of a tag'),
        z.strictObject({ open: z.string().min(2).max(60), close: z.string().min(2).max(60) }),
      ]),
    )
    .max(40)
    .default([...DEFAULT_TAGS]),
  /** Streams answers: progress is shown as it arrives, and the received part of a cut answer is kept. */
  stream: z.boolean().default(false),
  /**
   * Reasoning fields of a chat message that are sent back with a turn that has tool calls. Other fields are
   * not sent, because servers differ in what they accept. Only for `openai-chat`; the other protocols have a
   * fixed rule.
   */
  sendsBack: z
    .array(z.enum(['reasoning_content', 'reasoning', 'reasoning_details', 'encrypted_content']))
    .default(['reasoning_content', 'reasoning_details', 'encrypted_content']),
  structuredOutput: z.enum(['json_schema', 'json_object', 'none']).default('none'),
  /**
   * Enforces the schemas of tool arguments, if a schema qualifies unchanged. Some servers refuse this
   * setting. Only for `openai-chat` and `anthropic`: the Responses API does it by default, Gemini does not
   * support it.
   */
  strictTools: z.boolean().default(false),
  /**
   * Marks what calls have in common, so that the provider caches it: instructions and tools, and the conversation
   * of a call with tools. Only for `anthropic`; the other providers cache by themselves.
   */
  promptCache: z.boolean().default(false),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
  /** false: the model refuses a temperature. */
  sendsTemperature: z.boolean().default(true),
  /** By model name; `*` for every model. Takes precedence over the bundled price list. */
  prices: z.record(z.string(), priceSchema).default({}),
  priceList: z.enum(PRICE_LISTS).nullable().default(null),
  /** Time limit of a whole call including the body, in milliseconds. */
  timeoutMs: z.number().int().min(1).max(600_000).default(60_000),
  limits: limitsSchema.prefault({}),
});

/** One provider of the table, with defaults filled in. */
export interface ProviderEntry extends z.infer<typeof providerEntrySchema> {
  name: string;
}
