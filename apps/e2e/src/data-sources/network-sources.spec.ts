import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import type { JsonObject } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { gitServer } from '@casefile/evidence/testing';
import { makeCertificates } from '../testing/certificates.js';
import {
  aRecord,
  mxRecord,
  soaRecord,
  startDnsServer,
  txtRecord,
  type DnsAnswer,
  type DnsServer,
} from './testing/dns-server.js';
import { found, shippedSource, sourceTool, type SourceServer } from './testing/look-up.js';

const ask = (source: string, server: SourceServer, request: string, args: JsonObject = {}) =>
  found(sourceTool(shippedSource(source), server, request), args);
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

describe('T-61 Git over HTTP', () => {
  const root = temporaryFolder('repositories');
  const authorizations: (string | undefined)[] = [];
  let server: Server;
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: join(root, 'shop.git'), env: { ...process.env, HOME: root } })
      .toString()
      .trim();
  const commit = (hour: number, message: string, ...parents: string[]): string => {
    const at = `2026-01-05T${String(hour).padStart(2, '0')}:00:00Z`;
    const tree = git('write-tree');
    const named = parents.flatMap((parent) => ['-p', parent]);
    return execFileSync('git', ['commit-tree', tree, ...named, '-m', message], {
      cwd: join(root, 'shop.git'),
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 'Ann',
        GIT_AUTHOR_EMAIL: 'ann@shop.example',
        GIT_AUTHOR_DATE: at,
        GIT_COMMITTER_NAME: 'Bo',
        GIT_COMMITTER_EMAIL: 'bo@shop.example',
        GIT_COMMITTER_DATE: at,
      },
    })
      .toString()
      .trim();
  };
  const url = (name = 'shop.git') => `http://127.0.0.1:${portOf(server)}/${name}`;

  beforeAll(async () => {
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', join(root, 'shop.git')]);
    const first = commit(8, 'Begin');
    const left = commit(9, 'Raise the pool\n\nto 80 workers', first);
    const right = commit(10, 'Pay later', first);
    const merged = commit(11, 'Merge the payments', left, right);
    git('update-ref', 'refs/heads/main', merged);
    git('update-ref', 'refs/heads/old', left);
    git('update-ref', 'refs/tags/v2.1.0', right);
    server = await gitServer(root, (header) => authorizations.push(header));
  });
  afterAll(() => new Promise<void>((closed) => void server.close(() => closed())));

  it.each([true, false])(
    'lists commits of both sides of a merge; the server filters: %s',
    async (canFilter) => {
      git('config', 'uploadpack.allowFilter', String(canFilter));
      const lines = (await ask('git', { url: url() }, 'commits')).split('\n');
      expect(lines.map((line) => line.replace(/commit [0-9a-f]{40} /, ''))).toEqual([
        '2026-01-05T11:00:00Z by Ann: Merge the payments',
        '2026-01-05T10:00:00Z by Ann: Pay later',
        '2026-01-05T09:00:00Z by Ann: Raise the pool to 80 workers',
        '2026-01-05T08:00:00Z by Ann: Begin',
      ]);
      expect((await ask('git', { url: url() }, 'commits', { branch: 'old' })).split('\n')).toHaveLength(2);
      expect(await ask('git', { url: url() }, 'commits', { branch: 'v2.1.0' })).toMatch(
        /^\S+ commit \S+ by Ann: Pay/,
      );
    },
  );

  it('lists branches and tags, and answers its probe', async () => {
    const { probe } = shippedSource('git');
    const text = await ask('git', { url: url() }, probe.request);
    expect(text).toMatch(/^heads\/main is at commit [0-9a-f]{40}$/m);
    expect(text).toMatch(/^tags\/v2\.1\.0 is at commit [0-9a-f]{40}$/m);
  });

  it('sends its secret as user and token', async () => {
    await ask('git', { url: url(), secret: 'reader:t0ken' }, 'refs');
    expect(authorizations.at(-1)).toBe(`Basic ${Buffer.from('reader:t0ken').toString('base64')}`);
  });

  it('is a gap with the reason: no such branch, no repository, no Git server', async () => {
    await expect(ask('git', { url: url() }, 'commits', { branch: 'none' })).rejects.toThrow(
      /cannot be read: it has no branch or tag "none"/,
    );
    await expect(ask('git', { url: url('other.git') }, 'refs')).rejects.toMatchObject({
      reasonCode: 'bad_answer',
    });
    await expect(ask('git', { url: 'http://127.0.0.1:9/x' }, 'refs')).rejects.toMatchObject({
      reasonCode: 'network',
    });
  });
});

describe('T-61 DNS', () => {
  let server: DnsServer;
  let answers: Record<string, DnsAnswer>;
  beforeEach(async () => {
    answers = {
      'shop.example 1': [aRecord('192.0.2.7'), aRecord('192.0.2.8')],
      'shop.example 6': [soaRecord('ns1.shop.example', 'admin.shop.example', 2_026_010_501)],
      'shop.example 15': [mxRecord(10, 'mail.shop.example')],
      '_dmarc.shop.example 16': [txtRecord('v=DMARC1; ', 'p=reject')],
      'shop.example 16': [],
      'broken.shop.example 1': { code: 2 },
      'slow.shop.example 1': 'silence',
    };
    server = await startDnsServer((name, type) => answers[`${name} ${type}`] ?? { code: 3 });
  });
  afterEach(() => server.close());
  const records = (args: JsonObject) =>
    ask('dns', { url: `dns://${server.address}/shop.example` }, 'records', args);

  it('reads records by type, and answers its probe', async () => {
    expect(await records({})).toBe(
      'A of shop.example: address 192.0.2.7, ttl 60\nA of shop.example: address 192.0.2.8, ttl 60',
    );
    expect(await records({ type: 'MX' })).toMatch(/exchange mail\.shop\.example/);
    expect(await records({ name: '_dmarc.shop.example', type: 'TXT' })).toBe(
      'TXT of _dmarc.shop.example: v=DMARC1; p=reject',
    );
    const { arguments: args } = shippedSource('dns').probe;
    expect(await records(args as JsonObject)).toMatch(/^SOA of shop\.example: .*serial 2026010501/);
  });

  it('states that a name or a record does not exist', async () => {
    expect(await records({ name: 'www.shop.example' })).toContain('does not exist (NXDOMAIN)');
    expect(await records({ type: 'TXT' })).toContain('has no record of this type');
  });

  it('is a gap if the resolver fails or is silent', async () => {
    await expect(records({ name: 'broken.shop.example' })).rejects.toMatchObject({ reasonCode: 'network' });
    const source = { ...shippedSource('dns'), limits: { ...shippedSource('dns').limits, timeoutMs: 200 } };
    const tool = sourceTool(source, { url: `dns://${server.address}/shop.example` }, 'records');
    await expect(found(tool, { name: 'slow.shop.example' })).rejects.toMatchObject({ reasonCode: 'timeout' });
  });

  it.each(['secret-text.evil.example', 'xshop.example', 'shop.example.evil.example', 'evil.example'])(
    'asks nothing about a name of another domain: %s',
    async (name) => {
      await expect(records({ name })).rejects.toMatchObject({ reasonCode: 'invalid_arguments' });
      expect(server.questions).toEqual([]);
    },
  );
});

describe('T-61 the TLS certificate', () => {
  const folder = temporaryFolder('certificates');
  const { cert, key } = makeCertificates(folder);
  const server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) });
  const plain = createServer((socket) => void socket.end('hello\n'));
  beforeAll(async () => {
    server.on('tlsClientError', () => undefined);
    for (const one of [server, plain])
      await new Promise<void>((listening) => one.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => {
    server.close();
    plain.close();
  });

  it('shows expiry, names, issuer and trust', async () => {
    const text = await ask('tls', { url: `tls://localhost:${portOf(server)}` }, 'certificate');
    expect(text).toMatch(
      /^time until the certificate of CN=localhost expires = 1 days \(\d{4}-\S+Z\), valid since \d{4}-\S+Z, not trusted \(\w+\), TLSv1\.3, issued by CN=Test authority, for DNS:localhost, IP Address:127\.0\.0\.1$/,
    );
  });

  it('shows that a certificate has expired', async () => {
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    openssl('req', '-new', '-key', 'server.key', '-subj', '/CN=old.example', '-out', 'old.csr');
    writeFileSync(join(folder, 'index.txt'), '');
    writeFileSync(
      join(folder, 'ca.cnf'),
      '[ca]\ndefault_ca=a\n[a]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n',
    );
    openssl(
      ...['ca', '-batch', '-config', 'ca.cnf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-in', 'old.csr'],
      ...['-startdate', '20250101000000Z', '-enddate', '20250201000000Z', '-out', 'old.pem'],
    );
    const expired = createTlsServer({ cert: readFileSync(join(folder, 'old.pem')), key: readFileSync(key) });
    await new Promise<void>((listening) => expired.listen(0, '127.0.0.1', listening));
    try {
      const text = await ask('tls', { url: `tls://localhost:${portOf(expired)}` }, 'certificate');
      expect(text).toMatch(/CN=old\.example expires = -\d+ days \(2025-02-01T00:00:00\.000Z\)/);
    } finally {
      expired.close();
    }
  });

  it('is a gap if the server speaks no TLS or does not answer', async () => {
    await expect(
      ask('tls', { url: `tls://127.0.0.1:${portOf(plain)}` }, 'certificate'),
    ).rejects.toMatchObject({
      reasonCode: 'network',
    });
    await expect(ask('tls', { url: 'tls://127.0.0.1:9' }, 'certificate')).rejects.toMatchObject({
      reasonCode: 'network',
    });
  });

  it('takes neither a secret nor another address', () => {
    const tool = (server: SourceServer) => sourceTool(shippedSource('tls'), server, 'certificate');
    expect(() => tool({ url: 'tls://localhost:443', secret: 'x' })).toThrow(/secret: expected none/);
    expect(() => tool({ url: 'https://localhost' })).toThrow(/url: expected an address such as tls:/);
  });
});
