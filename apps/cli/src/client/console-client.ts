import {
  approvedToolsSchema,
  asCasefileError,
  CasefileError,
  sleep,
  engagementDetailsSchema,
  engagementListSchema,
  playbookListSchema,
  runbookMatchListSchema,
  toolServerListSchema,
  triedProviderSchema,
  type matchRunbooksSchema,
  type RunbookMatchAnswer,
  type RunSettings,
  type z,
  type ApprovedTools,
  type ApproveTools,
  type CaseList,
  type EngagementDetails,
  type EngagementList,
  type EventRecord,
  type ShownCase,
  type ToolServerList,
  type TriedProvider,
} from '@casefile/contracts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { errorOf, jsonOf, reach, requestJson } from './request-json.js';

export type { ShownCase, ShownRun } from '@casefile/contracts';

const COME_BACK_AFTER_MS = 1_000;
/** Characters of an id. */
const WHOLE_ID = 36;
/** Cases of a page, and pages that are looked through for a part of an id. */
const PAGE = 200;
const MOST_PAGES = 25;

/** The console of a running Casefile. */
export class ConsoleClient {
  constructor(readonly baseUrl: string) {}

  /** Where a person looks at a case. */
  linkTo(caseId: string): string {
    return new URL(`/cases/${caseId}`, this.baseUrl).href;
  }

  async listCases(query: Record<string, string>): Promise<CaseList> {
    const search = new URLSearchParams(query);
    return (await requestJson(this.url(`/cases?${search}`))) as CaseList;
  }

  /**
   * The id of the one case that begins or ends with `part`, looked for among the newest.
   * @throws CasefileError `unknown_case` when there is none, `ambiguous_case` that names them when there are several.
   */
  async wholeId(part: string): Promise<string> {
    if (part.length >= WHOLE_ID) return part;
    const [found, isAll] = await this.casesWith(part);
    const [only, ...others] = found;
    const where = isAll ? '' : ` among the newest ${MOST_PAGES * PAGE}`;
    if (only === undefined)
      throw new CasefileError('unknown_case', `no case${where} has an id that begins or ends with "${part}"`);
    if (others.length === 0) return only;
    const some = found.slice(0, 5).join(', ');
    const message = `${found.length} cases have an id that begins or ends with "${part}": ${some}`;
    throw new CasefileError('ambiguous_case', message);
  }

  private async casesWith(part: string): Promise<[ids: string[], isAll: boolean]> {
    const found: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
      const { cases, nextCursor }: CaseList = await this.listCases({ limit: String(PAGE), cursor });
      found.push(...cases.map(({ caseId }) => caseId));
      cursor = nextCursor;
    }
    const small = part.toLowerCase();
    return [found.filter((id) => id.startsWith(small) || id.endsWith(small)), cursor === null];
  }

  /** Lets one call through to a provider at once. @throws CasefileError `not_found`. */
  async tryProvider(name: string): Promise<TriedProvider> {
    const url = this.url(`/providers/${encodeURIComponent(name)}/try`);
    return triedProviderSchema.parse(await requestJson(url, { method: 'POST' }));
  }

  /** Which runbook each alert gets, in their order. */
  async matchRunbooks(alerts: z.input<typeof matchRunbooksSchema>['alerts']): Promise<RunbookMatchAnswer[]> {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ alerts }) };
    return runbookMatchListSchema.parse(await requestJson(this.url('/runbooks/match'), init)).matches;
  }

  /** Settings of a new run of a kind of case; null: the system does not know them yet. */
  async newRunSettings(playbook: string): Promise<RunSettings | null> {
    const { playbooks } = await this.get('/playbooks', playbookListSchema);
    return playbooks.find(({ name }) => name === playbook)?.settings ?? null;
  }

  /** What is at a path of the API. @throws CasefileError for a problem. */
  async get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return schema.parse(await requestJson(this.url(path)));
  }

  async listTools(): Promise<ToolServerList> {
    return toolServerListSchema.parse(await requestJson(this.url('/tools')));
  }

  /** @throws CasefileError `not_found`. */
  async approveTools(server: string, body: ApproveTools): Promise<ApprovedTools> {
    const url = this.url(`/tools/${encodeURIComponent(server)}/approve`);
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return approvedToolsSchema.parse(await requestJson(url, init));
  }

  async listEngagements(query: Record<string, string>): Promise<EngagementList> {
    const search = new URLSearchParams(query);
    return engagementListSchema.parse(await requestJson(this.url(`/engagements?${search}`)));
  }

  /** @throws CasefileError `not_found`. */
  async closeEngagement(id: string): Promise<EngagementDetails> {
    const url = this.url(`/engagements/${encodeURIComponent(id)}/close`);
    return engagementDetailsSchema.parse(await requestJson(url, { method: 'POST' }));
  }

  /** @throws CasefileError `unknown_case`. */
  async getCase(caseId: string): Promise<ShownCase> {
    return (await requestJson(this.url(`/cases/${encodeURIComponent(caseId)}`))) as ShownCase;
  }

  /**
   * Opens the event stream; nothing that happens after this returned is missed. When the line breaks it comes
   * back after the last event it had. Ends when `signal` is aborted.
   * @throws CasefileError when the first connection cannot be made.
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
        for await (const event of eventsOf(response)) {
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
    if (!response.ok) throw errorOf(jsonOf(await response.text()), response.status);
    return response;
  }

  private url(path: string): URL {
    return new URL(`/api/v1${path}`, this.baseUrl);
  }
}

async function* eventsOf(response: Response): AsyncGenerator<EventRecord> {
  if (response.body === null) return;
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) yield JSON.parse(data) as EventRecord;
}

// A line that broke, or a console that is away for a while: come back. Anything it says in words is final.
function isBroken(thrown: unknown): boolean {
  const { reasonCode, retryable } = asCasefileError(thrown);
  return retryable || reasonCode === 'unreachable' || reasonCode === 'unexpected';
}
