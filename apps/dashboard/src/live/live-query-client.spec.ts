import { QueryObserver } from '@tanstack/react-query';
import fc from 'fast-check';
import { pause } from '@casefile/contracts/testing';
import { LiveQueryClient } from './live-query-client.js';

/**
 * A server with a changing value, and a page that shows it. Each read takes the value immediately and arrives
 * later.
 */
function world() {
  const client = new LiveQueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const arrivals: ((failed: boolean) => void)[] = [];
  const server = { value: 0, reads: 0, aborted: 0 };
  const observer = new QueryObserver(client, {
    queryKey: ['case', 'a'],
    queryFn: ({ signal }) => {
      const { value } = server;
      server.reads += 1;
      signal.addEventListener('abort', () => void (server.aborted += 1));
      return new Promise<number>((resolve, reject) => {
        arrivals.push((failed) => (failed ? reject(new Error('away')) : resolve(value)));
      });
    },
  });
  const leave = observer.subscribe(() => undefined);
  /** The server's value changes, and the page is notified. */
  const change = (): void => {
    server.value += 1;
    void client.invalidateQueries({ queryKey: ['case'] });
  };
  /** The oldest read in flight arrives at the page. */
  const arrive = async (failed = false): Promise<boolean> => {
    const next = arrivals.shift();
    next?.(failed);
    await settle();
    return next !== undefined;
  };
  const close = (): void => {
    leave();
    client.clear();
  };
  return { client, server, observer, shown: () => observer.getCurrentResult().data, change, arrive, close };
}

const settle = (): Promise<void> => pause(0, 'The query client notifies its observers in a timer.');

describe('S2-32 LiveQueryClient', () => {
  it('reads again when a change came during the first read', async () => {
    const { change, arrive, shown, server, close } = world();
    change();
    change();
    await arrive();
    expect(shown()).toBe(0);
    await arrive();
    expect(shown()).toBe(2);
    expect(server.reads).toBe(2);
    close();
  });

  it('lets reads complete while changes keep coming', async () => {
    const { change, arrive, shown, server, close } = world();
    await arrive();
    const seen = new Set<number | undefined>();
    for (let round = 0; round < 5; round += 1) {
      change();
      await settle();
      change();
      await arrive();
      seen.add(shown());
    }
    expect(seen.size).toBe(5);
    expect(server.aborted).toBe(0);
    close();
  });

  it('resolves when the page shows the change', async () => {
    const { client, server, arrive, shown, close } = world();
    server.value = 7;
    let done = false;
    const invalidated = client.invalidateQueries({ queryKey: ['case'] }).then(() => void (done = true));
    await arrive();
    expect(done).toBe(false);
    await arrive();
    await invalidated;
    expect(shown()).toBe(7);
    close();
  });

  it('shows the last value in the end, however changes, arrivals and failures follow each other', async () => {
    const steps = fc.array(fc.constantFrom('change', 'arrive', 'fail'), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, async (order) => {
        const { change, arrive, shown, server, close } = world();
        for (const step of order) {
          if (step === 'change') change();
          else await arrive(step === 'fail');
        }
        change();
        await settle();
        for (let more = true; more;) more = await arrive();
        expect(shown()).toBe(server.value);
        expect(server.reads).toBeLessThanOrEqual(order.length + 3);
        close();
      }),
      { numRuns: 150 },
    );
  });
});
