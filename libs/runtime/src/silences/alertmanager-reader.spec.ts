import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger, type ForeignSilence } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { AlertmanagerReader, silencesIn } from './alertmanager-reader.js';

const silence = (id: string, matchers: object[], state = 'active') => ({
  id,
  status: { state },
  updatedAt: '2026-01-05T09:59:00.000Z',
  comment: 'A move',
  createdBy: 'ann',
  startsAt: '2026-01-05T10:00:00.000Z',
  endsAt: '2026-02-05T10:00:00.000Z',
  matchers,
});
const EXACT = { name: 'service', value: 'checkout', isRegex: false, isEqual: true };
const PATTERN = { name: 'alertname', value: '.+', isRegex: true, isEqual: true };

describe('silences of Alertmanager', () => {
  it('are those that are not expired; one that could match everything does not apply', () => {
    const { isEqual: _, ...old } = EXACT;
    const answer = [
      silence('a', [EXACT]),
      silence('b', [PATTERN]),
      silence('c', [old]),
      silence('d', [EXACT], 'expired'),
      silence('e', [EXACT, { ...PATTERN, value: '(?=x)' }]),
    ];
    const read = silencesIn(Buffer.from(JSON.stringify(answer)));
    expect(read.map(({ id, problem }) => [id, problem])).toEqual([
      ['a', null],
      ['b', 'It has no matcher with an exact value, so it could match every alert.'],
      ['c', null],
      ['e', expect.stringContaining('RE2')],
    ]);
    expect(read[2]).toMatchObject({ matchers: [EXACT], author: 'ann', reason: 'A move' });
    expect(() => silencesIn(Buffer.from('<html>'))).toThrow('Alertmanager sent no list of silences');
    expect(() => silencesIn(Buffer.from('{"silences":[]}'))).toThrow('Alertmanager sent no list of silences');
  });

  it('are read by one process from its API, and stay while it does not answer', async () => {
    const asked: string[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      asked.push(`${request.url ?? ''} ${String(request.headers['authorization'])}`);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify([silence('a', [EXACT])]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/am/`;
    const written: ForeignSilence[][] = [];
    let leads = false;
    const reader = new AlertmanagerReader({
      alertmanager: { url, headers: { authorization: 'Bearer x' }, allowPrivate: true, everySeconds: 30 },
      store: {
        lead: async () => (leads ? { release: async () => undefined } : null),
        silences: {
          replace: async (_source: string, silences: readonly ForeignSilence[]) =>
            void written.push([...silences]),
        } as never,
      },
      clock: manualClock(),
      log: silentLogger,
    });
    await reader.tick();
    expect(asked).toEqual([]);
    leads = true;
    await reader.tick();
    status = 503;
    await reader.tick();
    expect(asked).toEqual(Array.from({ length: 2 }, () => '/am/api/v2/silences Bearer x'));
    expect(written.map((silences) => silences.map(({ id }) => id))).toEqual([['a']]);
    await reader.stop();
    server.close();
  });
});
