/** An answer before it is put on the wire. */
export interface Answer {
  content: string;
  reasoning?: string | undefined;
  toolCalls?: { id: string; name: string; arguments: string }[] | undefined;
  usage?: { input: number; output: number; reasoning: number; cached: number } | undefined;
  finishReason?: string | undefined;
  refusal?: string | undefined;
}
