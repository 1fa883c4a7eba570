import { until } from '@casefile/contracts/testing';

/** Fetches, and again while the service is too busy to answer (503). A repeated request must not do harm. */
export async function fetchServed(url: string, init?: RequestInit): Promise<Response> {
  let response: Response | null = null;
  await until(`${url} is served`, async () => {
    response = await fetch(url, init);
    return response.status !== 503;
  });
  return response!;
}
