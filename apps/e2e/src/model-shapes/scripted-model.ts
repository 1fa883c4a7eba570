import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json, type JsonObject } from '@casefile/contracts';

/** One answer of a scripted server: the message of its choice, and its finish reason. */
interface ScriptedAnswer {
  message: JsonObject;
  finish?: string;
}

/** Script of a server: answers in order, the last one repeated; a refusal while a request has a parameter. */
export interface ModelScript {
  answers: ScriptedAnswer[];
  refuse?: { param: string; status: number; message: string; code?: string };
}

/** A server of chat completions with scripted answers. */
export interface ScriptedModel {
  baseUrl: string;
  play(script: ModelScript): void;
  /** Requests since the last script was set. */
  requests(): JsonObject[];
  close(): Promise<void>;
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  let script: ModelScript = { answers: [] };
  let received: JsonObject[] = [];
  let answered = 0;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Json;
      if (!isObject(body)) throw new Error('a request that is no object');
      received.push(body);
      const { refuse, answers } = script;
      if (refuse !== undefined && refuse.param in body) {
        const { status, message, code = null } = refuse;
        return send(response, status, { error: { message, type: 'invalid_request_error', code } });
      }
      const { message, finish = 'stop' } = answers[Math.min(answered, answers.length - 1)]!;
      answered += 1;
      send(response, 200, completion(message, finish));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    play: (next) => {
      script = next;
      received = [];
      answered = 0;
    },
    requests: () => received,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function completion(message: JsonObject, finish: string): JsonObject {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  };
}

function send(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
