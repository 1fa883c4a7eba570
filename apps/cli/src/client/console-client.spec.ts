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

  it('says what the console says', async () => {
    await expect(new ConsoleClient(local.url).getCase('x')).rejects.toMatchObject({
      reasonCode: 'unknown_case',
    });
  });

  it('says how to start one when nobody answers', async () => {
    const over = new AbortController();
    const nobody = new ConsoleClient('http://127.0.0.1:9');
    await expect(nobody.events(null, over.signal)).rejects.toMatchObject({ reasonCode: 'unreachable' });
    await expect(nobody.getCase('x')).rejects.toThrow(/casefile up/);
  });
});
