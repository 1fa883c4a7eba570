import type { JsonObject } from '@casefile/contracts';

/** What a server under test does with the next call. */
export type ProviderBehaviour =
  | {
      kind: 'answer';
      content: string;
      /** In the provider's own reasoning field. */
      reasoning?: string;
      toolCalls?: { id: string; name: string; arguments: string }[];
      usage?: { input: number; output: number; reasoning: number; cached: number };
      finishReason?: string;
      refusal?: string;
    }
  | { kind: 'status'; status: number; code?: string; message?: string; retryAfterS?: number }
  | { kind: 'hang' | 'cut' | 'malformed' | 'empty' | 'redirect' | 'html' }
  | { kind: 'huge'; megabytes: number };

/** One request as the server saw it. */
export interface SeenRequest {
  callKey: string | null;
  body: JsonObject;
}
