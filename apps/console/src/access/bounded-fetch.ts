import { CasefileError } from '@casefile/contracts';
import type { CustomFetch } from 'openid-client';

/** Most bytes of a document of a sign-in provider: metadata, keys, tokens, claims. Real ones have at most about 20 kB. */
export const MOST_DOCUMENT_BYTES = 262_144;
/** Statuses whose answers have no body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * Returns a fetch that reads at most `MOST_DOCUMENT_BYTES` of the decoded body, because the client of the protocol has no
 * limit of its own. @throws CasefileError `too_large`; errors of the fetch.
 */
export function boundedFetch(
  send: CustomFetch = (url, options) => fetch(url, options as RequestInit),
): CustomFetch {
  return async (url, options) => {
    const response = await send(url, options);
    const { status, statusText, headers } = response;
    const bytes = await bodyOf(response);
    return new Response(WITHOUT_BODY.includes(status) ? null : bytes, { status, statusText, headers });
  };
}

async function bodyOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_DOCUMENT_BYTES)
      throw new CasefileError(
        'too_large',
        `The sign-in provider sent a document of more than ${MOST_DOCUMENT_BYTES} bytes.`,
      );
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
