import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { readConfig } from '../config/read-config.js';
import { queueCertificates } from './queue-certificates.js';

const read = (env: Record<string, string>) => queueCertificates(readConfig(env, []));

describe('the certificates of the queue store', () => {
  const file = join(temporaryFolder('certificates'), 'ca.pem');
  beforeAll(() => writeFileSync(file, 'a certificate'));

  it('are read from the files of the environment', async () => {
    expect(await read({ QUEUE_URL: 'rediss://q.example', QUEUE_TLS_CA_FILE: file })).toEqual({
      ca: 'a certificate',
    });
    expect(await read({ QUEUE_URL: 'redis://q.example' })).toEqual({});
  });

  it.each([
    [
      { QUEUE_URL: 'rediss://q.example', QUEUE_TLS_KEY_FILE: '/missing/key.pem' },
      'QUEUE_TLS_KEY_FILE: expected a file',
    ],
    [
      { QUEUE_URL: 'redis://q.example', QUEUE_TLS_CERT_FILE: file },
      'QUEUE_TLS_CERT_FILE: expected a QUEUE_URL',
    ],
  ])('are refused by the name of their variable: %j', async (env, message) => {
    await expect(read(env)).rejects.toThrow(message);
  });
});
