import { until } from '@casefile/contracts/testing';

/** Response to one posted alert; null: the connection failed. */
export type PostedAlert = { status: number; caseId: string | null; ms: number } | null;

/** Posts an alert once, as a sender does. */
export async function postAlert(
  ingestUrl: string,
  body: object,
  key?: string,
  withinMs = 60_000,
): Promise<PostedAlert> {
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const began = performance.now();
  try {
    const response = await fetch(`${ingestUrl}/v1/alerts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(withinMs),
    });
    const answer = (await response.json()) as { caseId?: string };
    return { status: response.status, caseId: answer.caseId ?? null, ms: performance.now() - began };
  } catch {
    return null;
  }
}

/**
 * Posts an alert with its key until it is accepted. Returns the id of its case.
 * @throws Error if it was not accepted within `withinMs`.
 */
export async function postUntilAccepted(
  ingestUrl: string,
  body: object,
  key: string,
  withinMs: number,
): Promise<string> {
  let posted = null as PostedAlert;
  await until(
    () => `the alert ${key} is accepted, and not answered ${posted?.status ?? 'by no status'}`,
    async () => {
      posted = await postAlert(ingestUrl, body, key, withinMs);
      return posted?.status === 202 && posted.caseId !== null;
    },
    50,
    withinMs,
  );
  return posted!.caseId!;
}
