import type { routes } from '@casefile/console/routes/index';
import {
  asCasefileError,
  CasefileError,
  sleep,
  type CaseList,
  type EventRecord,
  type RunSettings,
  type ShownCase,
  type ShownRun,
  type z,
} from '@casefile/contracts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { View } from '../views/view.js';
import { errorFromProblem, parseJson, reach, requestJson } from './request-json.js';

export type { ShownCase, ShownRun } from '@casefile/contracts';

const COME_BACK_AFTER_MS = 1_000;
/** Length of a whole id in characters. */
const WHOLE_ID = 36;
/** Cases per page, and maximum number of pages that are searched for part of an id. */
const PAGE = 200;
const MOST_PAGES = 25;

/** Client of a running console. Each path of its API is typed by the console's own route table. */
export class ConsoleClient {
  constructor(readonly baseUrl: string) {}

  /** Returns the URL of a case in the dashboard. */
  linkTo(caseId: string): string {
    return new URL(`/cases/${caseId}`, this.baseUrl).href;
  }

  /** @throws CasefileError for a problem, `unreachable` if no server answers. */
  async get<P extends PathOf<'get'>>(
    path: P,
    ...[request]: RequestOf<'get', P>
  ): Promise<AnswerOf<'get', P>> {
    return (await this.send('get', path, request)) as AnswerOf<'get', P>;
  }

  /** @throws CasefileError for a problem, `unreachable` if no server answers. */
  async post<P extends PathOf<'post'>>(
    path: P,
    ...[request]: RequestOf<'post', P>
  ): Promise<AnswerOf<'post', P>> {
    return (await this.send('post', path, request)) as AnswerOf<'post', P>;
  }

  /**
   * Returns the id of the one case whose id starts or ends with `part`, searching the newest cases.
   * @throws CasefileError `unknown_case` if there is none, `ambiguous_case` with the matching ids if there
   * are several.
   */
  async wholeId(part: string): Promise<string> {
    if (part.length >= WHOLE_ID) return part;
    const [matches, isAll] = await this.casesWith(part);
    const [only, ...others] = matches;
    const where = isAll ? '' : ` among the newest ${MOST_PAGES * PAGE}`;
    if (only === undefined)
      throw new CasefileError('unknown_case', `no case${where} has an id that begins or ends with "${part}"`);
    if (others.length === 0) return only;
    const some = matches.slice(0, 5).join(', ');
    const message = `${matches.length} cases have an id that begins or ends with "${part}": ${some}`;
    throw new CasefileError('ambiguous_case', message);
  }

  private async casesWith(part: string): Promise<[ids: string[], isAll: boolean]> {
    const caseIds: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
      const { cases, nextCursor }: CaseList = await this.get('/cases', { query: { limit: PAGE, cursor } });
      caseIds.push(...cases.map(({ caseId }) => caseId));
      cursor = nextCursor;
    }
    const small = part.toLowerCase();
    return [caseIds.filter((id) => id.startsWith(small) || id.endsWith(small)), cursor === null];
  }

  /** Returns the settings of a new run of a kind of case; null: the system does not know them yet. */
  async newRunSettings(playbook: string): Promise<RunSettings | null> {
    const { playbooks } = await this.get('/playbooks');
    return playbooks.find(({ name }) => name === playbook)?.settings ?? null;
  }

  /** @throws CasefileError `unknown_case`. */
  async getCase(caseId: string): Promise<ShownCase> {
    return this.get('/cases/{caseId}', { params: { caseId } });
  }

  /** Returns the run with this whole id; null: there is none. */
  async findRun(runId: string): Promise<ShownRun | null> {
    if (runId.length !== WHOLE_ID) return null;
    return this.get('/runs/{runId}', { params: { runId } }).catch((thrown: unknown) => {
      if (asCasefileError(thrown).reasonCode === 'not_found') return null;
      throw thrown;
    });
  }

  /**
   * Opens the event stream. No event that happens after this method returned is missed: if the connection
   * breaks, the client reconnects after the last event it received. The stream ends when `signal` is aborted.
   * @throws CasefileError if the first connection fails.
   */
  async events(lastEventId: string | null, signal: AbortSignal): Promise<AsyncIterable<EventRecord>> {
    return this.follow(await this.connect(lastEventId, signal), lastEventId, signal);
  }

  private async *follow(
    first: Response,
    from: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<EventRecord> {
    let last = from;
    let response: Response | null = first;
    while (!signal.aborted) {
      try {
        response ??= await this.connect(last, signal);
        for await (const event of responseEvents(response)) {
          last = event.id;
          yield event;
        }
      } catch (thrown) {
        if (signal.aborted) return;
        if (!isBroken(thrown)) throw thrown;
      }
      response = null;
      await sleep(COME_BACK_AFTER_MS, signal);
    }
  }

  private async connect(lastEventId: string | null, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (lastEventId !== null) headers['last-event-id'] = lastEventId;
    const response = await reach(this.url('/events'), { headers, signal });
    if (!response.ok) throw errorFromProblem(parseJson(await response.text()), response.status);
    return response;
  }

  /**
   * Sends a request to any path of the API.
   * @throws CasefileError for a problem, `unreachable` if no server answers.
   */
  async send(
    method: Method,
    path: string,
    { params = {}, query = {}, body, form }: AnyRequest = {},
  ): Promise<unknown> {
    const url = this.url(
      path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(params[name] ?? '')),
    );
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const verb = method.toUpperCase();
    if (body === undefined) return requestJson(url, { method: verb, ...(form && { body: form }) });
    const headers = { 'content-type': 'application/json' };
    return requestJson(url, { method: verb, headers, body: JSON.stringify(body) });
  }

  private url(path: string): URL {
    return new URL(`/api/v1${path}`, this.baseUrl);
  }
}

async function* responseEvents(response: Response): AsyncGenerator<EventRecord> {
  if (response.body === null) return;
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) yield JSON.parse(data) as EventRecord;
}

// A broken connection or an unavailable console is retried. Any other answer of the console is final.
function isBroken(thrown: unknown): boolean {
  const { reasonCode, retryable } = asCasefileError(thrown);
  return retryable || reasonCode === 'unreachable' || reasonCode === 'unexpected';
}

type Routes = (typeof routes)[number];
type Method = Routes['method'];
type RouteAt<M extends Method, P> = Extract<Routes, { method: M; path: P }>;

/** Paths of the console's API with this method. */
type PathOf<M extends Method> = Extract<Routes, { method: M }>['path'];

/** JSON that the console returns at this path. */
type AnswerOf<M extends Method, P extends PathOf<M>> = z.output<
  Extract<RouteAt<M, P>['response'], z.ZodType>
>;

type NamesIn<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Params<P> = [NamesIn<P>] extends [never] ? object : { params: Record<NamesIn<P>, string> };
type Query<I> = I extends { query: z.ZodObject }
  ? { query?: Partial<Record<keyof z.input<I['query']>, string | number | undefined>> }
  : object;
type Body<M, I> = I extends { body: z.ZodType }
  ? { body: z.input<I['body']> }
  : M extends 'post'
    ? { form?: FormData }
    : object;
type Request<M extends Method, P> = Params<P> &
  Query<RouteAt<M, P>['input']> &
  Body<M, RouteAt<M, P>['input']>;

/** Parameters, query and body of a request, as far as its path has them. */
type RequestOf<M extends Method, P extends PathOf<M>> =
  object extends Request<M, P> ? [request?: Request<M, P>] : [request: Request<M, P>];

/** Views of answers by method and path, each typed by the answer of its operation. */
export type ViewsOf = {
  [R in Routes as `${R['method']} ${R['path']}`]?: View<z.output<Extract<R['response'], z.ZodType>>>;
};

/** Request to any path, without the types of that path. */
export interface AnyRequest {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  form?: FormData;
}
