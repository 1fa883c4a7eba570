import type { z } from '@casefile/contracts';
import type { providerEntrySchema } from './provider-entry.js';

type EntryInput = z.input<typeof providerEntrySchema>;

/**
 * The providers that need no configuration but a key. S2-02.
 * Models are current defaults (November 2026), changed by `LLM_MODEL` or the configuration file. The order is
 * that in which keys are looked for when no provider is named.
 */
export const SHIPPED_PROVIDERS: Record<string, EntryInput> = {
  // No reasoning configuration: a prompt-following model that answers within the deadline of a verdict.
  openai: {
    protocol: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-5.4-mini',
    keyVariable: 'OPENAI_API_KEY',
    structuredOutput: 'json_schema',
    maxTokensField: 'max_completion_tokens',
    sendsTemperature: false,
    priceList: 'openai',
    // The bundled list is older than this model; figures of OpenAI's price page, 2026.
    prices: { 'gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5 } },
  },
  // By its OpenAI-compatible endpoint, which returns thoughts in the content, inside <thought>.
  gemini: {
    protocol: 'openai-chat',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-flash-latest',
    keyVariable: 'GEMINI_API_KEY',
    enableReasoning: false,
    reasoningParams: {
      extra_body: { google: { thinking_config: { include_thoughts: true, thinking_budget: 2000 } } },
    },
    reasoningTags: ['thinking', 'think', 'thought'],
    structuredOutput: 'json_schema',
    priceList: 'google',
  },
  grok: {
    protocol: 'openai-chat',
    baseUrl: 'https://api.x.ai/v1',
    model: 'grok-4-1-fast',
    keyVariable: 'XAI_API_KEY',
    enableReasoning: true,
    structuredOutput: 'json_schema',
    maxTokensField: 'max_completion_tokens',
    priceList: 'xai',
    // The bundled list is older than this model; figures of xAI's price page, 2026.
    prices: { 'grok-4-1-fast': { input: 0.2, output: 0.5 } },
  },
  deepseek: {
    protocol: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    model: 'deepseek-chat',
    keyVariable: 'DEEPSEEK_API_KEY',
    enableReasoning: false,
    structuredOutput: 'json_object',
    priceList: 'deepseek',
  },
  openrouter: {
    protocol: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    model: 'openai/gpt-5.4-mini',
    keyVariable: 'OPENROUTER_API_KEY',
    enableReasoning: false,
    structuredOutput: 'json_schema',
    priceList: 'openrouter',
  },
  // Own servers: which model they serve is theirs to say, what it costs nobody knows.
  vllm: {
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8000/v1',
    model: 'Qwen/Qwen3-8B',
    keyVariable: null,
    enableReasoning: false,
    structuredOutput: 'json_schema',
  },
  ollama: {
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:11434/v1',
    model: 'qwen3:8b',
    keyVariable: null,
    enableReasoning: false,
    structuredOutput: 'json_schema',
  },
  // Made-up answers for trying things out: never chosen unless it is named.
  simulator: {
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:3009/v1',
    model: 'casefile-simulator',
    keyVariable: null,
    enableReasoning: false,
    structuredOutput: 'json_schema',
    prices: { '*': { input: 0, output: 0 } },
    limits: { concurrency: 1_000 },
  },
};
