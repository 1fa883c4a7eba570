import { once } from 'node:events';
import { createConnection } from 'node:net';

/** Sends one command to a Redis and returns the first part of its answer. @throws Error for an error of Redis. */
export async function redisCommand(url: string, ...words: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  try {
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    socket.write(`*${words.length}\r\n${parts.join('')}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (answer.toString().startsWith('-')) throw new Error(answer.toString());
    return answer.toString();
  } finally {
    socket.destroy();
  }
}
