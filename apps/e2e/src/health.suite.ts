import { until } from '@casefile/contracts/testing';
import { allowWrites } from './testing/allow-writes.js';

/** A deployment whose database can refuse writes. */
export interface Deployment {
  url: string;
  databaseUrl: string;
  close(): Promise<void>;
}

/** Waits until the probe answers with this status and a body that matches. */
async function answered(url: string, probe: string, status: number, because = /^/): Promise<void> {
  let last = 'nothing';
  await until(
    () => `${probe} answers ${status} as ${because}; last: ${last}`,
    async () => {
      const answer = await fetch(`${url}/health/${probe}`);
      const body = await answer.text();
      last = `${answer.status} ${body}`;
      return answer.status === status && because.test(body);
    },
  );
}

/** Tests that a service is not ready while its database takes no writes. */
export function isReadyToWrite(start: () => Promise<Deployment>): void {
  it('E-08 is not ready while the database can be read but not written, says why, and is ready again afterwards', async () => {
    const { url, databaseUrl, close } = await start();
    try {
      await answered(url, 'ready', 200);
      await allowWrites(databaseUrl, false);
      // Connections that were ended may be what it notices first.
      const because = /"detail":"[^"]*the store takes no writes: [^"]*read-only transaction/;
      await answered(url, 'ready', 503, because);
      // A restart would not help.
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      await allowWrites(databaseUrl, true);
      await answered(url, 'ready', 200);
    } finally {
      await allowWrites(databaseUrl, true);
      await close();
    }
  });
}
