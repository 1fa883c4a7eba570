/** The wire protocols that can be spoken; each is one file in `providers/`. */
export const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
export type Protocol = (typeof PROTOCOLS)[number];
