import type { ServerResponse } from 'node:http';

/** Sends a whole JSON answer; nothing when there is nobody left to send it to. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
