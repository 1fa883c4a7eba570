import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import express from 'express';
import { dashboardPages } from './front-pages.js';
import { securityHeaders } from './http/security-headers.js';

let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = temporaryFolder('dashboard');
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Built</title>');
  await writeFile(join(folder, 'assets', 'index-4f2a.js'), 'export {};');
  await writeFile(join(folder, 'theme.js'), '1;');
  const app = express().use(securityHeaders, dashboardPages(folder) ?? express.Router());
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

describe('dashboardPages', () => {
  it.each(['/', '/cases', '/cases/0190-abc?tab=trace', '/dead-letters'])(
    'answers the page for the view %s, under a policy that runs nothing of others',
    async (path) => {
      const response = await fetch(`${url}${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-security-policy')?.split('; ')).toEqual(
        expect.arrayContaining([
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self' data: blob:",
          "connect-src 'self'",
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'self'",
        ]),
      );
      expect(await response.text()).toContain('Built');
    },
  );

  it('lets browsers keep a file with a digest in its name, and ask again for others', async () => {
    const asset = await fetch(`${url}/assets/index-4f2a.js`);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('content-type')).toContain('javascript');
    expect((await fetch(`${url}/theme.js`)).headers.get('cache-control')).toBe('no-cache');
  });

  it('answers pages of the documentation as Markdown, and their views by the page', async () => {
    const page = await fetch(`${url}/docs/use/incident.md`);
    expect(page.headers.get('content-type')).toContain('text/markdown');
    expect(await page.text()).toMatch(/^# Incident$/m);
    expect(await (await fetch(`${url}/docs/use/incident`)).text()).toContain('Built');
  });

  it('answers the sections of the documentation that contain the words, under the same policy', async () => {
    const answer = await fetch(`${url}/docs/search.json?q=degraded+verdicts`);
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await answer.json()).toContainEqual(
      expect.objectContaining({ file: 'reference/glossary.md', heading: 'Degraded verdicts' }),
    );
    for (const query of ['', '?q=', '?q=a&q=b'])
      expect(await (await fetch(`${url}/docs/search.json${query}`)).json()).toEqual([]);
  });

  it.each([
    '/docs/gone.md',
    '/docs/..%2fpackage.json',
    '/docs/.vitepress/config.mjs',
    '/assets/gone-1a2b.js',
    '/favicon.ico',
    '/api/v1/nothing',
    '/queues/x',
    '/health/live',
    '/metrics',
    '/assets/..%2f..%2fpackage.json',
  ])('has no page at %s', async (path) => {
    expect((await fetch(`${url}${path}`)).status).toBe(404);
  });

  it('never answers the page to a request that changes something', async () => {
    expect((await fetch(`${url}/cases`, { method: 'POST' })).status).toBe(404);
  });

  it('is none where nothing is built', () => {
    expect(dashboardPages(join(folder, 'assets'))).toBeNull();
  });
});
