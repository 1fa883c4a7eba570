import fc from 'fast-check';
import { isRedisUrl, readRedisAddress } from './redis-address.js';

describe('the address of a Redis', () => {
  it.each([
    ['redis://', { form: 'single', nodes: [{ host: 'localhost', port: 6379 }], database: 0 }],
    ['redis://cache', { nodes: [{ host: 'cache', port: 6379 }], isEncrypted: false }],
    ['rediss://cache:7000/3', { nodes: [{ host: 'cache', port: 7000 }], isEncrypted: true, database: 3 }],
    ['redis://:s3cr:t@/x@cache/2', { password: 's3cr:t@/x', database: 2 }],
    [
      'redis://bull:p%40ss@[::1]:6380',
      { username: 'bull', password: 'p@ss', nodes: [{ host: '::1', port: 6380 }] },
    ],
    [
      'rediss+cluster://u:p@a:7001,b',
      {
        form: 'cluster',
        isEncrypted: true,
        nodes: [
          { host: 'a', port: 7001 },
          { host: 'b', port: 6379 },
        ],
      },
    ],
    [
      'redis+sentinel://:p@a,b:26380/queues/1?sentinelPassword=q',
      {
        form: 'sentinel',
        nodes: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 26380 },
        ],
        master: 'queues',
        database: 1,
        password: 'p',
        sentinelPassword: 'q',
      },
    ],
  ])('%s', (url, address) => {
    expect(isRedisUrl(url)).toBe(true);
    expect(readRedisAddress(url)).toMatchObject(address);
  });

  it.each([
    ['redis://a,b', 'one host'],
    ['redis://a:0', 'HOST:PORT'],
    ['redis://a:70000', 'HOST:PORT'],
    ['redis://a b', 'HOST:PORT'],
    ['redis+cluster://', 'HOST:PORT'],
    ['redis+cluster://a/1', 'no number of a database'],
    ['redis+sentinel://a:26379', 'the name of the master'],
    ['redis://:hunter2@a/x', 'the number of a database'],
  ])('%s is refused, without its password', (url, expected) => {
    expect(() => readRedisAddress(url)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(expected) }),
    );
    expect(() => readRedisAddress(url)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('reads any password that is percent-encoded, and those with signs as written', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (password) => {
        const url = `redis+cluster://u:${encodeURIComponent(password)}@a:7001,[::1]:7002`;
        expect(readRedisAddress(url)).toMatchObject({
          password,
          nodes: [
            { host: 'a', port: 7001 },
            { host: '::1', port: 7002 },
          ],
        });
      }),
    );
  });
});
