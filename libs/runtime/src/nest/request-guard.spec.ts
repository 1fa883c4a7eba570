import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@casefile/contracts';
import express from 'express';
import { guardRequests } from './request-guard.js';

let server: Server;
beforeAll(async () => {
  const app = express().use(
    guardRequests(['casefile.example'], silentLogger, { plainText: (path) => path === '/plain' }),
  );
  app.use((_request, response) => void response.status(200).send('in'));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function ask(method: string, path: string, headers: Record<string, string>, body?: string) {
  const { port } = server.address() as AddressInfo;
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers,
    setHost: !('Host' in headers),
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}
const statusOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).statusCode;

describe('the guard of every service', () => {
  it.each([
    ['localhost:3000', 200],
    ['127.0.0.1', 200],
    ['[::1]:3001', 200],
    ['casefile.example', 200],
    ['CASEFILE.example:8443', 200],
    ['evil.example', 421],
    ['casefile.example.evil.example', 421],
    ['10.0.0.7:3000', 421],
    ['user@localhost', 421],
    ['localhost:3000:1', 421],
  ])('E-09 under the Host %s a request is answered %i', async (host, status) => {
    expect(await statusOf('GET', '/api/v1/cases', { Host: host })).toBe(status);
    expect(await statusOf('POST', '/v1/alerts', { Host: host })).toBe(status);
  });

  it.each<[type: string, headers: Record<string, string>, path: string, status: number]>([
    ['text/plain; charset=UTF-8', {}, '/plain', 200],
    ['text/plain', {}, '/v1/alerts', 415],
    ['text/plain; charset=utf-16', {}, '/plain', 415],
    ['text/plainer', {}, '/plain', 415],
    ['text/html', {}, '/plain', 415],
    ['text/plain', { Origin: 'http://localhost' }, '/plain', 415],
    ['text/plain', { 'Sec-Fetch-Site': 'none' }, '/plain', 415],
  ])('S2-40 with the type %s and %j a body for %s is answered %i', async (type, headers, path, status) => {
    const sent = { Host: 'localhost', 'Content-Type': type, 'Content-Length': '2', ...headers };
    expect(await statusOf('POST', path, sent, '{}')).toBe(status);
  });

  it.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['application/cloudevents+json; profile=x; charset=utf8', 200],
    ['application/json; charset=utf-7', 415],
    ['application/json; charset=utf-16le', 415],
    ['application/json; Charset = "utf-16"', 415],
    ['application/json; charset=utf-8; charset=utf-16', 415],
    ['application/json; charset=', 415],
  ])('S2-45 a body of the type %s is answered %i', async (type, status) => {
    const headers = { Host: 'localhost:3000', 'Content-Type': type };
    expect(await statusOf('POST', '/v1/alerts', headers, '{}')).toBe(status);
    expect(await statusOf('POST', '/v1/alerts', headers)).toBe(200);
  });

  it('E-09 a rebound name gets neither by calling itself the origin', async () => {
    const rebound = { Host: 'evil.example:3000', Origin: 'http://evil.example:3000' };
    for (const [method, path] of [
      ['GET', '/api/v1/cases'],
      ['POST', '/v1/alerts'],
      ['PUT', '/queues/api/pause'],
    ] as const)
      expect(await statusOf(method, path, rebound)).toBe(421);
  });

  it('E-09 probes and scrapers ask by address, and nothing else is answered to one', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      for (const Host of ['10.1.2.3:3000', '[fd00::7]:3000'])
        expect(await statusOf('GET', path, { Host })).toBe(200);
    expect(await statusOf('GET', '/metrics', { Host: 'evil.example' })).toBe(421);
    expect(await statusOf('GET', '/metricsx', { Host: '10.1.2.3' })).toBe(421);
  });

  it.each([
    [{ Origin: 'http://evil.example' }],
    [{ Origin: 'null' }],
    [{ Origin: 'http://localhost:1' }],
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
  ])('E-09 a page of another site may read nothing into it: POST with %j is 403', async (headers) => {
    const sent = { Host: 'localhost:3000', 'Content-Type': 'application/json', ...headers };
    expect(await statusOf('POST', '/v1/alerts', sent, '{}')).toBe(403);
    expect(
      await statusOf(
        'POST',
        '/v1/alerts',
        { ...sent, Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-origin' },
        '{}',
      ),
    ).toBe(200);
  });

  it.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/CloudEvents+JSON', 200],
    ['text/plain; x=/json', 415],
    ['multipart/form-data; boundary=/json', 415],
    ['text/json', 415],
    ['application/x-www-form-urlencoded', 415],
  ])('E-09 a body of the type %s is answered %i', async (type, status) => {
    expect(await statusOf('POST', '/v1/alerts', { Host: 'localhost', 'Content-Type': type }, '{}')).toBe(
      status,
    );
  });

  it('E-09 a body without a type is taken from a program and not from a page', async () => {
    expect(await statusOf('POST', '/v1/alerts', { Host: 'localhost' }, '{}')).toBe(200);
    const page = { Host: 'localhost', Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' };
    expect(await statusOf('POST', '/v1/alerts', page, '{}')).toBe(415);
  });

  it('E-09 every answer carries the security headers, also a refusal', async () => {
    for (const Host of ['localhost', 'evil.example']) {
      const { headers } = await ask('GET', '/x', { Host });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    }
  });
});
