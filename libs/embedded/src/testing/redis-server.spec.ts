import { createConnection } from 'node:net';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startRedis } from './redis-server.js';

function say(url: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(url).port) }, () =>
      socket.write(`${command}\r\n`),
    );
    socket.on('error', reject);
    socket.on('data', (data) => {
      socket.destroy();
      resolve(data.toString().trim());
    });
  });
}

describe('the private Redis of tests', () => {
  it('keeps acknowledged writes over kill -9, on the same address', async () => {
    const dir = temporaryFolder('redis');
    const redis = await startRedis({ dir });
    try {
      expect(await say(redis.url, 'SET kept 7')).toBe('+OK');
      const before = { pid: redis.pid, url: redis.url };
      await redis.kill9();
      await expect(say(redis.url, 'PING')).rejects.toThrow();
      await redis.restart();
      expect(redis.pid).not.toBe(before.pid);
      expect(redis.url).toBe(before.url);
      expect(await say(redis.url, 'GET kept')).toContain('7');
      expect(await say(redis.url, 'CONFIG GET maxmemory-policy')).toContain('noeviction');
    } finally {
      await redis.stop();
    }
  });
});
