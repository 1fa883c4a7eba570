import type { JsonObject } from '@casefile/contracts';

/** What a server under test does with the next call, said in words of no protocol. */
export type ProviderBehaviour =
  | {
      kind: 'answer';
      content: string;
      /** In the provider's own place for it, with whatever seals it there (a signature, an encrypted copy). */
      reasoning?: string;
      /** `arguments` that are no JSON go out as that text, also where the protocol has an object. */
      toolCalls?: { id: string; name: string; arguments: string }[];
      /** `input` with the cached, `output` with the reasoning. */
      usage?: { input: number; output: number; reasoning: number; cached: number };
      /** `stop`, `length`, `tool_calls` or `content_filter`, in the protocol's own word for it. */
      finishReason?: string;
      refusal?: string;
    }
  | { kind: 'status'; status: number; code?: string; message?: string; retryAfterS?: number }
  | { kind: 'hang' | 'cut' | 'malformed' | 'empty' | 'redirect' | 'html' }
  | { kind: 'huge'; megabytes: number };

export type AnswerBehaviour = Extract<ProviderBehaviour, { kind: 'answer' }>;

/** One request as the server saw it. */
export interface SeenRequest {
  callKey: string | null;
  body: JsonObject;
}
