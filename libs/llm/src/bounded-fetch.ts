import { CasefileError } from '@casefile/contracts';

/** Enough of a failure to say what it was. */
const FAILURE_BYTES = 65_536;
const WITHOUT_BODY = [204, 205, 304];

/**
 * A fetch that reads the body before it resolves, so that the caller's time limit covers it, and at most
 * `maxBytes` of it. Redirects are not followed: an API that redirects is not the one that was configured.
 * A failure's body is cut where an answer's is refused.
 * @throws CasefileError `too_large`; `cut_answer` when the connection breaks within the body.
 */
export function boundedFetch(inner: typeof fetch, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, { ...init, redirect: 'manual' });
    const body = response.ok
      ? await readBody(response, maxBytes, refuse(maxBytes), init?.signal)
      : await readBody(response, FAILURE_BYTES, 'cut', init?.signal);
    const headers = new Headers(response.headers);
    // They describe the body on the wire, not the one that was read.
    headers.delete('content-encoding');
    headers.delete('content-length');
    const init2 = { status: response.status, statusText: response.statusText, headers };
    return new Response(WITHOUT_BODY.includes(response.status) ? null : body, init2);
  };
}

function refuse(maxBytes: number): CasefileError {
  return new CasefileError('too_large', `The provider's answer is larger than ${maxBytes} bytes`);
}

async function readBody(
  response: Response,
  maxBytes: number,
  over: CasefileError | 'cut',
  signal: AbortSignal | null | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && size <= maxBytes) {
    const { done, value } = await reader.read().catch((thrown: unknown) => {
      throw signal?.aborted === true ? thrown : cut(thrown);
    });
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
  }
  if (size > maxBytes) {
    // What the other side does with an ended connection is of no interest here.
    reader?.cancel().catch(() => undefined);
    if (over !== 'cut') throw over;
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes));
}

function cut(cause: unknown): CasefileError {
  return new CasefileError('cut_answer', 'The connection broke within the answer', {
    retryable: true,
    cause,
  });
}
