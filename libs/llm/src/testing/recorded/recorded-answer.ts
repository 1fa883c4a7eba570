import type { Json, JsonObject, ModelReasoning, ModelToolCall, ModelUsage } from '@casefile/contracts';

/**
 * One answer in the shape in which a provider gives it, whole and as a stream, and what is to be read from it. The
 * shapes are those of the providers' references (November 2026); the texts are made up.
 */
export interface RecordedAnswer {
  /** Provider of the shipped table, and what of its shape this shows. */
  name: string;
  provider: string;
  body: JsonObject;
  events: Json[];
  /** The streams of this provider name their events, or end with a word. */
  sse?: { named?: boolean; endMark?: string };
  expected: {
    content: string;
    reasoning: ModelReasoning | null;
    toolCalls?: ModelToolCall[];
    finishReason: string;
    usage: ModelUsage;
    /** Must go back with the next turn, to the letter. */
    sentBack?: string[];
  };
}

export const ANSWER = '{"verdict":"high"}';
/** Wherever it is cut, somewhere it is cut within a character. */
export const THOUGHT = 'Não é 👮👮👮👮👮👮👮👮: the number\nis in the 名单. So the risk is high.';
export const CALL: ModelToolCall = { id: 'call_7f', name: 'scam_db', args: { value: '+16502530000' } };
export const CALL_ARGUMENTS = JSON.stringify(CALL.args);
export const USAGE: ModelUsage = {
  inputTokens: 210,
  outputTokens: 64,
  reasoningTokens: 40,
  cachedTokens: 128,
};
