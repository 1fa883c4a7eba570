import type { McpServer } from './settings.js';
import type { Session, SessionPorts } from './session.js';

/**
 * Connects to a server and shakes hands. The client is loaded for the first server: without servers it is not needed.
 * @throws CasefileError as `shakeHands`.
 */
export async function openSession(server: McpServer, ports: SessionPorts): Promise<Session> {
  const { shakeHands } = await import('./session.js');
  return shakeHands(server, ports);
}
