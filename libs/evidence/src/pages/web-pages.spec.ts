import { createHash } from 'node:crypto';
import { inProcessRunner, manualClock } from '@casefile/contracts/testing';
import { json, raw, startLocalService, type Answer, type LocalService } from '../testing/local-service.js';
import { createWebPages } from './web-pages.js';

const context = { signal: new AbortController().signal, clock: manualClock() };
const html = (body: string, headers = {}) => raw(body, 200, { 'content-type': 'text/html', ...headers });
const redirect = (to: string) => raw('', 302, { location: to });
const NO_ROBOTS = raw('', 404);

describe('T-61 the page reader', () => {
  let site: LocalService;
  let paths: Record<string, Answer>;
  beforeEach(async () => {
    paths = {};
    site = await startLocalService((request, ...rest) =>
      (paths[request.url ?? ''] ?? NO_ROBOTS)(request, ...rest),
    );
  });
  afterEach(() => site.close());

  const reader = (privateHosts = [new URL(site.baseUrl).host]) =>
    createWebPages({
      settings: { privateHosts, perHostPerSecond: 100 },
      runner: inProcessRunner,
      readPdf: async (bytes) => ({ title: 'A PDF', text: `${bytes.length} bytes`, language: 'de' }),
    });
  const read = (path: string, by = reader()) => by(`${site.baseUrl}${path}`, context);
  const lines = () => site.requests.map(({ line }) => line);

  it('stores the main text with digest, time and address, and asks robots.txt once per host', async () => {
    const body = '<html lang="fr"><body><p>Un texte</p></body></html>';
    paths['/a?b=1'] = html(body);
    const by = reader();
    expect(await read('/a?b=1#part', by)).toMatchObject({
      url: `${site.baseUrl}/a?b=1`,
      text: 'Un texte',
      language: 'fr',
      sha256: createHash('sha256').update(body).digest('hex'),
      bytes: body.length,
      readAt: new Date(context.clock.now()).toISOString(),
    });
    await read('/a?b=1', by);
    expect(lines()).toEqual(['GET /robots.txt', 'GET /a?b=1', 'GET /a?b=1']);
    expect(site.requests[1]!.headers['user-agent']).toMatch(/^Casefile/);
  });

  it('does not ask for a page that robots.txt forbids, also after a redirect', async () => {
    paths['/robots.txt'] = raw('User-agent: *\nDisallow: /private', 200, { 'content-type': 'text/plain' });
    paths['/open'] = redirect('/private/x');
    await expect(read('/private/x')).rejects.toMatchObject({ reasonCode: 'robots_refused' });
    await expect(read('/open')).rejects.toMatchObject({ reasonCode: 'robots_refused' });
    expect(lines()).not.toContain('GET /private/x');
  });

  it('asks nothing of a host whose robots.txt is out of order', async () => {
    paths['/robots.txt'] = json({}, 503);
    paths['/a'] = html('<p>A text</p>');
    await expect(read('/a')).rejects.toMatchObject({ reasonCode: 'server_error' });
    expect(lines()).not.toContain('GET /a');
  });

  it('reads no private address unless the setting names its host, also after a redirect', async () => {
    paths['/a'] = html('<p>A text</p>');
    await expect(read('/a', reader([]))).rejects.toMatchObject({ reasonCode: 'address_refused' });
    expect(site.requests).toHaveLength(0);
    paths['/meta'] = redirect('http://169.254.169.254/latest/meta-data/');
    await expect(read('/meta')).rejects.toMatchObject({ reasonCode: 'address_refused' });
    paths['/file'] = redirect('file:///etc/passwd');
    await expect(read('/file')).rejects.toMatchObject({ reasonCode: 'redirect_refused' });
    paths['/round'] = redirect('/round');
    await expect(read('/round')).rejects.toMatchObject({ reasonCode: 'redirect_refused' });
    await expect(reader()('ftp://host/a', context)).rejects.toMatchObject({
      reasonCode: 'invalid_arguments',
    });
  });

  it('reads PDF by the reader of policies, and plain text, and no other type', async () => {
    paths['/a.pdf'] = raw('%PDF-1.7', 200, { 'content-type': 'application/pdf' });
    paths['/b'] = raw(' Words ', 200, { 'content-type': 'text/plain' });
    paths['/c'] = json({ a: 1 });
    expect(await read('/a.pdf')).toMatchObject({ title: 'A PDF', text: '8 bytes', language: 'de' });
    expect(await read('/b')).toMatchObject({ text: 'Words', published: null });
    await expect(read('/c')).rejects.toMatchObject({ reasonCode: 'unknown_format' });
  });

  it('is a gap for a page that is missing, empty or too large', async () => {
    await expect(read('/none')).rejects.toMatchObject({ reasonCode: expect.any(String) as string });
    paths['/empty'] = html('<p> </p>');
    await expect(read('/empty')).rejects.toMatchObject({ reasonCode: 'empty_document' });
    paths['/large'] = html('x'.repeat(8_000_001));
    await expect(read('/large')).rejects.toMatchObject({ reasonCode: 'too_large' });
  });
});
