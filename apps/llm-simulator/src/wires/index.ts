import { anthropic } from './anthropic.js';
import { gemini } from './gemini.js';
import { openAiChat } from './openai-chat.js';
import { openAiEmbeddings } from './openai-embeddings.js';
import { openAiResponses } from './openai-responses.js';
import type { Wire } from './wire.js';

/** Every wire format of the simulator. */
export const WIRES: Wire[] = [openAiChat, openAiResponses, anthropic, gemini, openAiEmbeddings];

export const wireFor = (path: string): Wire | undefined => WIRES.find((wire) => wire.serves(path));
