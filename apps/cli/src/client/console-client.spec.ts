import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startLocalCasefile, type LocalCasefile } from '../testing/local-casefile.js';
import { ConsoleClient } from './console-client.js';

let local: LocalCasefile;
beforeEach(async () => {
  local = await startLocalCasefile();
});
afterEach(() => local.close());

describe('ConsoleClient', () => {
  it('comes back after its last event when the line breaks', async () => {
    local.events = ['1.1', '1.2', '2.1'];
    local.eventsPerConnection = 2;
    const over = new AbortController();
    const seen: string[] = [];
    for await (const event of await new ConsoleClient(local.url).events(null, over.signal)) {
      seen.push(event.id);
      if (seen.length === 3) over.abort();
    }
    expect(seen).toEqual(['1.1', '1.2', '2.1']);
    expect(local.connections.slice(0, 2)).toEqual([null, '1.2']);
  });

  it('asks with the parameters, the query and the body that a path of the table has, and no others compile', async () => {
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      asked.push(`${request.method} ${request.url} ${await text(request)}`);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = new ConsoleClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await client.get('/cases', { query: { limit: 1, cursor: undefined, q: 'a b' } });
    await client.post('/cases/{caseId}/budget', { params: { caseId: 'a/b' }, body: { usd: 1 } });
    await client.post('/engagements/{engagementId}/close', { params: { engagementId: 'e' } });
    // @ts-expect-error: the path has a parameter.
    await client.get('/cases/{caseId}');
    // @ts-expect-error: there is no such path.
    await client.get('/case');
    // @ts-expect-error: the body of this path has other fields.
    await client.post('/runbooks/match', { body: { alert: {} } });
    server.close();
    expect(asked.slice(0, 3)).toEqual([
      'GET /api/v1/cases?limit=1&q=a+b ',
      'POST /api/v1/cases/a%2Fb/budget {"usd":1}',
      'POST /api/v1/engagements/e/close ',
    ]);
  });

  it('says what the console says', async () => {
    await expect(new ConsoleClient(local.url).getCase('x')).rejects.toMatchObject({
      reasonCode: 'unknown_case',
    });
  });

  it('says how to start one when nothing answers', async () => {
    const over = new AbortController();
    const nobody = new ConsoleClient('http://127.0.0.1:9');
    await expect(nobody.events(null, over.signal)).rejects.toMatchObject({ reasonCode: 'unreachable' });
    await expect(nobody.getCase('x')).rejects.toThrow(/casefile up/);
  });
});
