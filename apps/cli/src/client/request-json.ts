import { CasefileError, InvalidInput, z, reasonCodeOf } from '@casefile/contracts';

const problemSchema = z.looseObject({
  status: z.number(),
  detail: z.string(),
  reasonCode: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export type Problem = z.infer<typeof problemSchema>;

/** Converts an HTTP problem to an error. */
export function errorFromProblem(problem: unknown, status: number): CasefileError {
  const parsed = problemSchema.safeParse(problem);
  if (!parsed.success) return new CasefileError('bad_answer', `the server answered ${status}`);
  const { detail, reasonCode, errors } = parsed.data;
  if (errors !== undefined && errors.length > 0) return new InvalidInput(errors, 'request');
  return new CasefileError(reasonCodeOf(reasonCode), detail, { retryable: status === 503 });
}

/** Sends a request. @throws CasefileError `unreachable` with a start hint if no server answers at `url`. */
export async function reach(url: URL, init: RequestInit = {}): Promise<Response> {
  const request = await withKey(init);
  try {
    return await fetch(url, request);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new CasefileError(
      'unreachable',
      `nothing answers at ${url.origin}: is Casefile running? (casefile up)`,
      { cause: error },
    );
  }
}

// The module that reads the environment is loaded at the first request.
async function withKey(init: RequestInit): Promise<RequestInit> {
  const key = (await import('@casefile/runtime')).readAccessKey();
  if (key === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${key}`);
  return { ...init, headers };
}

/** Returns a JSON answer. @throws CasefileError for a problem, and for an answer that is not JSON. */
export async function requestJson(url: URL, init: RequestInit = {}): Promise<unknown> {
  const response = await reach(url, init);
  const text = await response.text();
  const body = parseJson(text);
  if (!response.ok) throw errorFromProblem(body, response.status);
  if (body === undefined) throw new CasefileError('bad_answer', `${url.origin} did not return JSON`);
  return body;
}

/** Parses JSON; undefined: the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
