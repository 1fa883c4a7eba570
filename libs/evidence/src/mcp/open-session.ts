import type { McpServer } from './settings.js';
import type { Session, SessionPorts } from './session.js';

/**
 * Connects to a server and completes the handshake. The client is loaded with the first server.
 * @throws CasefileError as `shakeHands`.
 */
export async function openSession(server: McpServer, ports: SessionPorts): Promise<Session> {
  const { shakeHands } = await import('./session.js');
  return shakeHands(server, ports);
}
