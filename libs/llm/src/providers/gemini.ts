import { generateRequest } from '../gemini/generate-request.js';
import { readGenerated, assembleGenerated, generatedDelta } from '../gemini/generate-response.js';
import { makeAdapter } from '../make-adapter.js';
import type { Sending } from '../make-adapter.js';
import type { MakeModel } from '../provider.js';

/** Gemini's generateContent. */
export const gemini: MakeModel = makeAdapter({
  send,
  read: readGenerated,
  assemble: assembleGenerated,
  delta: generatedDelta,
});

/** The official SDK without what it would take from the environment; it retries nothing unless it is told to. Loaded at the first call. */
async function send({
  entry,
  apiKey,
  request,
  reasoningParams,
  fetch,
  headers,
  signal,
  timeoutMs,
}: Sending): Promise<unknown> {
  const versioned = /\/v\d+(?:(?:alpha|beta)\d*)?$/.test(entry.baseUrl);
  const { GoogleGenAI } = await import('@google/genai');
  const client = new GoogleGenAI({
    apiKey: apiKey ?? 'none',
    vertexai: false,
    apiVersion: versioned ? '' : 'v1beta',
  });
  const { params, verbatim } = generateRequest(entry, request, reasoningParams);
  const httpOptions = { baseUrl: entry.baseUrl, headers, timeout: timeoutMs, extraBody: verbatim, fetch };
  const config = { ...params.config, abortSignal: signal, httpOptions };
  const call = { ...params, config };
  return entry.stream ? client.models.generateContentStream(call) : client.models.generateContent(call);
}
