import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run } from '../program.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

/** Starts a console with this answer to one request, and records the request. */
async function consoleThat(status: number, body: object): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

describe('casefile providers try', () => {
  it.each([
    ['open', /openai will be tried with the next call/],
    ['closed', /openai is available/],
  ])('says what comes of it where the circuit is %s', async (state, output) => {
    const { url, requests } = await consoleThat(200, { provider: 'openai', state });
    const terminal = memoryTerminal();
    expect(await run(['providers', 'try', 'openai', '--console', url], terminal)).toBe(0);
    expect(terminal.lines.join('\n')).toMatch(output);
    expect(requests).toEqual(['POST /api/v1/providers/openai/try']);
  });

  it('fails for a provider that nothing is known of', async () => {
    const problem = { status: 404, detail: 'there is nothing to try', reasonCode: 'not_found' };
    const { url } = await consoleThat(404, problem);
    const terminal = memoryTerminal();
    expect(await run(['providers', 'try', 'nobody', '--console', url], terminal)).toBe(1);
    expect(JSON.stringify(terminal)).toContain('there is nothing to try');
  });
});
