import type { IncomingMessage, ServerResponse } from 'node:http';
import { CasefileError, InvalidInput, type Json, type JsonObject } from '@casefile/contracts';

const MOST_BYTES = 20_000_000;

/**
 * Returns the JSON object in a request's body; `{}` if the body is empty.
 * @throws InvalidInput; CasefileError `too_large`.
 */
export async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).byteLength;
    if (size > MOST_BYTES)
      throw new CasefileError('too_large', `The body is larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const body = text.trim() === '' ? {} : parsedText(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new InvalidInput([{ path: '', message: 'expected a JSON object' }], 'body');
}

function parsedText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new InvalidInput([{ path: '', message: `expected JSON: ${String(error)}` }], 'body');
  }
}

/** Sends a complete JSON answer. Does nothing if the client has disconnected. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
