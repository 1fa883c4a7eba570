import type { JsonObject } from '@casefile/contracts';

/** Response of a server under test to the next call, independent of the protocol. */
export type ProviderBehaviour =
  | {
      kind: 'answer';
      content: string;
      /** Sent in the provider's own field, with its seal (a signature, an encrypted copy). */
      reasoning?: string;
      /** `arguments` that are not JSON are sent as text, even if the protocol has an object there. */
      toolCalls?: { id: string; name: string; arguments: string }[];
      /** `input` includes the cached tokens, `output` the reasoning. */
      usage?: { input: number; output: number; reasoning: number; cached: number };
      /** `stop`, `length`, `tool_calls` or `content_filter`, sent as the protocol's own word for it. */
      finishReason?: string;
      refusal?: string;
    }
  | { kind: 'status'; status: number; code?: string; message?: string; retryAfterS?: number }
  | { kind: 'hang' | 'cut' | 'malformed' | 'empty' | 'redirect' | 'html' }
  | { kind: 'huge'; megabytes: number };

export type AnswerBehaviour = Extract<ProviderBehaviour, { kind: 'answer' }>;

/** One request as received by the server. */
export interface SeenRequest {
  callKey: string | null;
  body: JsonObject;
}
