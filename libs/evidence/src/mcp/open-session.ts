import type { McpServer } from './settings.js';
import type { Session } from './session.js';

/**
 * Connects to a server and shakes hands. The client is loaded for the first: without such servers it is not needed.
 * @param onLost is told once when the connection is gone, with what is known of why.
 * @throws CasefileError `network`, `timeout`.
 */
export async function openSession(server: McpServer, onLost: (why: string) => void): Promise<Session> {
  const { shakeHands } = await import('./session.js');
  return shakeHands(server, onLost);
}
