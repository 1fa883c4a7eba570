import { installed } from '@casefile/embedded/testing';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of an authority's certificate, and of a certificate for `localhost` that it issued, with its key. */
export interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

/** Makes an authority and a certificate by openssl, valid for two days. */
export function makeCertificates(folder: string): Certificates {
  if (!installed('openssl', () => spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0))
    throw new Error('expected the program openssl (Debian: apt-get install openssl)');
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const days = ['-days', '2', '-nodes', '-newkey', 'rsa:2048'];
  openssl('req', '-x509', ...days, '-subj', '/CN=Test authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  openssl(
    'req',
    '-new',
    ...days.slice(2),
    '-subj',
    '/CN=localhost',
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
  );
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl(
    'x509',
    '-req',
    '-days',
    '2',
    '-in',
    'server.csr',
    ...issuer,
    '-extfile',
    'names',
    '-out',
    'server.pem',
  );
  return { ca: at('ca.pem'), cert: at('server.pem'), key: at('server.key') };
}
