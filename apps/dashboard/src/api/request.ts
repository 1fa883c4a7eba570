import { t } from '../strings/text.js';
/** A failed response. Uses the RFC 9457 fields if the server sent them. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Problems of single request fields, by path. */
    readonly errors: { path: string; message: string }[] = [],
    /** Reason code of the server; null: it sent none. */
    readonly reasonCode: string | null = null,
  ) {
    super(message);
    this.name = 'ApiProblem';
  }
}

const BASE = '/api/v1';

/**
 * Reads `path` of the API. @throws ApiProblem if the response is an error, or if the API is unreachable
 * (status 0).
 */
export function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return askJson<T>(BASE + path, { signal });
}

/** Posts `body` to `path` of the API. @throws ApiProblem as `getJson` does. */
export function postJson<T>(path: string, body: unknown): Promise<T> {
  return askJson<T>(BASE + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Requests a path of the console. @throws ApiProblem as `getJson` does. */
export async function askJson<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, credentials: 'same-origin' }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiProblem(0, t('error.noAnswer'));
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body as T;
  throw responseProblem(response, body);
}

interface Problem {
  detail?: unknown;
  title?: unknown;
  errors?: { path: string; message: string }[];
  reasonCode?: unknown;
}

function responseProblem(response: Response, body: unknown): ApiProblem {
  const { detail, title, errors, reasonCode } = (body ?? {}) as Problem;
  const words = [detail, title].find((it) => typeof it === 'string' && it !== '');
  const message =
    typeof words === 'string' ? words : t('api.theConsoleAnswered', { status: response.status });
  return new ApiProblem(
    response.status,
    message,
    Array.isArray(errors) ? errors : [],
    typeof reasonCode === 'string' ? reasonCode : null,
  );
}
