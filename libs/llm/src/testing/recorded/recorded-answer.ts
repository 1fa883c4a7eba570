import type { Json, JsonObject, ModelReasoning, ModelToolCall, ModelUsage } from '@casefile/contracts';

/**
 * One answer in a provider's format, whole and as a stream, and the expected reading. The shapes follow the
 * providers' references (November 2026); the texts are invented.
 */
export interface RecordedAnswer {
  /** Provider of the shipped table, and the feature of its format that this answer shows. */
  name: string;
  provider: string;
  body: JsonObject;
  events: Json[];
  /** Whether this provider's streams name their events, and their end marker. */
  sse?: { named?: boolean; endMark?: string };
  expected: {
    content: string;
    reasoning: ModelReasoning | null;
    toolCalls?: ModelToolCall[];
    finishReason: string;
    usage: ModelUsage;
    /** Must be sent back verbatim with the next turn. */
    sentBack?: string[];
  };
}

export const ANSWER = '{"verdict":"high"}';
/** Contains multi-byte characters, so that some cut always falls within a character. */
export const THOUGHT = 'Não é 👮👮👮👮👮👮👮👮: the number\nis in the 名单. So the risk is high.';
export const CALL: ModelToolCall = { id: 'call_7f', name: 'scam_db', args: { value: '+16502530000' } };
export const CALL_ARGUMENTS = JSON.stringify(CALL.args);
export const USAGE: ModelUsage = {
  inputTokens: 210,
  outputTokens: 64,
  reasoningTokens: 40,
  cachedTokens: 128,
};
