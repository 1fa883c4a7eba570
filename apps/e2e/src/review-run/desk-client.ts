import type { BulkReviewed, ShownReview } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import type { FiveServices } from '../testing/five-services.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

/** Requests to the review desk of a console. */
export interface DeskClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  review(caseId: string): Promise<ShownReview>;
  bulk(body: object): Promise<BulkReviewed>;
}

/** @param url URL of the console. */
export function deskClient(url: string): DeskClient {
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const response = await fetch(`${url}/api/v1${path}`, init);
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
    return body as T;
  };
  const post = <T>(path: string, body: object): Promise<T> =>
    ask<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    get: (path) => ask(path),
    post,
    review: (caseId) => ask(`/reviews/${caseId}`),
    bulk: (body) => post('/reviews/bulk', body),
  };
}

/** Cases that are opened at the same time. */
const TOGETHER = 20;

/** Opens cases whose verdicts wait for a person. Resolves to their ids when all verdicts wait. */
export async function waitingCases(world: FiveServices, count: number, about: string): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const batchSize = Math.min(TOGETHER, count - ids.length);
    const opened = Array.from({ length: batchSize }, (_, i) =>
      world.alert({
        playbook: 'scam-verdict',
        text: `Können wir unser Treffen ${about} ${ids.length + i} am Freitag auf vier Uhr verschieben?`,
        collect: false,
      }),
    );
    ids.push(...(await Promise.all(opened)));
  }
  await until(
    `${count} verdicts wait`,
    async () => {
      const waits = new Set(await casesIn(world, 'open'));
      return ids.every((id) => waits.has(id));
    },
    250,
    WHOLE_SYSTEM_MS,
  );
  return ids;
}

/** Returns the ids of the cases in a state of the desk. */
export async function casesIn(world: FiveServices, state: 'open' | 'answered'): Promise<string[]> {
  const query = { state, sort: 'oldest', limit: 10_000, now: Date.now() } as const;
  return (await world.store.reviews.list(query)).reviews.map(({ caseId }) => caseId);
}
