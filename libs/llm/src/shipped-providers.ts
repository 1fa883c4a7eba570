import type { z } from '@casefile/contracts';
import type { providerEntrySchema } from './provider-entry.js';

type EntryInput = z.input<typeof providerEntrySchema>;

const DEEPSEEK_FLASH = { input: 0.3, cached: 0.006, output: 1.2 };

/**
 * Providers that need no configuration except a key. Models are current defaults (November 2026), changed by
 * `LLM_MODEL` or the configuration file. If no provider is named, keys are searched in this order.
 */
export const SHIPPED_PROVIDERS: Record<string, EntryInput> = {
  // There is no reasoning configuration, because this model answers without thinking, within the deadline of
  // a verdict. The room is for OpenAI models that think unasked (the o-series, GPT-5).
  openai: {
    protocol: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-5.4-mini',
    keyVariable: 'OPENAI_API_KEY',
    structuredOutput: 'json_schema',
    strictTools: true,
    maxTokensField: 'max_completion_tokens',
    thinkingRoom: 4_000,
    sendsTemperature: false,
    priceList: 'openai',
    // The bundled list is older than this model. Prices from OpenAI's price page, 2026.
    prices: { 'gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5 } },
  },
  gemini: {
    protocol: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-flash-latest',
    keyVariable: 'GEMINI_API_KEY',
    enableReasoning: false,
    reasoningParams: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 } },
    reasoningOff: { thinkingConfig: { thinkingBudget: 0 } },
    structuredOutput: 'json_schema',
    priceList: 'google',
    // The bundled list is older. Prices from Google's price page from 2027 on; until then they are half of
    // these.
    prices: {
      'gemini-flash-latest': { input: 1.5, cached: 0.15, output: 7.5 },
      'gemini-3.8-flash': { input: 1.5, cached: 0.15, output: 7.5 },
    },
  },
  grok: {
    protocol: 'openai-chat',
    baseUrl: 'https://api.x.ai/v1',
    model: 'grok-4-1-fast',
    keyVariable: 'XAI_API_KEY',
    enableReasoning: true,
    thinkingRoom: 4_000,
    structuredOutput: 'json_schema',
    maxTokensField: 'max_completion_tokens',
    priceList: 'xai',
    // The bundled list is older than this model. Prices from xAI's price page, 2026.
    prices: { 'grok-4-1-fast': { input: 0.2, output: 0.5 } },
  },
  // Its reasoning arrives in separate blocks if requested. A request for reasoning in the prompt may be
  // refused.
  anthropic: {
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    model: 'claude-sonnet-5-5',
    keyVariable: 'ANTHROPIC_API_KEY',
    enableReasoning: false,
    reasoningParams: { thinking: { type: 'adaptive', display: 'summarized' } },
    reasoningOff: { thinking: { type: 'disabled' } },
    structuredOutput: 'json_schema',
    strictTools: true,
    promptCache: true,
    sendsTemperature: false,
    priceList: 'anthropic',
    // The bundled list is older than these models. Prices from Anthropic's price page, October 2026. What the cache
    // keeps for five minutes costs 1.25 of the input.
    prices: {
      'claude-sonnet-5-5': { input: 2, cached: 0.2, written: 2.5, output: 10 },
      'claude-opus-5-5': { input: 4, cached: 0.2, written: 5, output: 20 },
      'claude-haiku-5-5': { input: 0.1, cached: 0.01, written: 0.125, output: 0.5 },
    },
  },
  deepseek: {
    protocol: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    model: 'deepseek-flash',
    keyVariable: 'DEEPSEEK_API_KEY',
    enableReasoning: false,
    reasoningOff: { thinking: { type: 'disabled' } },
    thinkingRoom: 4_000,
    structuredOutput: 'json_object',
    priceList: 'deepseek',
    // This model serves every accepted name. Price at peak hours (2, 0.04 and 8 yuan, October 2026); half at
    // other times.
    prices: { 'deepseek-flash': DEEPSEEK_FLASH, '*': DEEPSEEK_FLASH },
  },
  // Uses the key of `openai`, which comes first. So this entry is used only if it is named.
  'openai-responses': {
    protocol: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-5.4-mini',
    keyVariable: 'OPENAI_API_KEY',
    enableReasoning: false,
    reasoningParams: { reasoning: { effort: 'low', summary: 'auto' } },
    reasoningOff: { reasoning: { effort: 'none' } },
    thinkingRoom: 4_000,
    structuredOutput: 'json_schema',
    sendsTemperature: false,
    priceList: 'openai',
    prices: { 'gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5 } },
  },
  groq: {
    protocol: 'openai-chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    model: 'openai/gpt-oss-120b',
    keyVariable: 'GROQ_API_KEY',
    enableReasoning: false,
    // Its gpt-oss models always think; this is the lowest setting.
    reasoningOff: { reasoning_effort: 'low' },
    thinkingRoom: 4_000,
    structuredOutput: 'json_schema',
    maxTokensField: 'max_completion_tokens',
    // Refuses messages with unknown fields.
    sendsBack: [],
    priceList: 'groq',
  },
  openrouter: {
    protocol: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    model: 'openai/gpt-5.4-mini',
    keyVariable: 'OPENROUTER_API_KEY',
    enableReasoning: false,
    reasoningOff: { reasoning: { effort: 'none' } },
    thinkingRoom: 4_000,
    structuredOutput: 'json_schema',
    priceList: 'openrouter',
  },
  // Self-hosted servers: the operator chooses the model, and its cost is unknown.
  vllm: {
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8000/v1',
    model: 'Qwen/Qwen3-8B',
    keyVariable: null,
    enableReasoning: false,
    // Qwen3 thinks unless its template switches thinking off.
    reasoningOff: { chat_template_kwargs: { enable_thinking: false } },
    thinkingRoom: 4_000,
    structuredOutput: 'json_schema',
    sendsBack: ['reasoning', 'reasoning_content'],
  },
  ollama: {
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:11434/v1',
    model: 'qwen3:8b',
    keyVariable: null,
    enableReasoning: false,
    reasoningOff: { reasoning_effort: 'none' },
    thinkingRoom: 4_000,
    structuredOutput: 'json_schema',
    sendsBack: ['reasoning'],
  },
  // Invented answers for trials, used only if named.
  simulator: {
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:3009/v1',
    model: 'casefile-simulator',
    keyVariable: null,
    enableReasoning: false,
    structuredOutput: 'json_schema',
    prices: { '*': { input: 0, output: 0 } },
  },
};
