import { asCasefileError, type CaseList, type EventRecord, type ShownCase } from '@casefile/contracts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { rest } from '../rest.js';
import { errorOf, jsonOf, reach, requestJson } from './request-json.js';

export type { ShownCase, ShownRun } from '@casefile/contracts';

const COME_BACK_AFTER_MS = 1_000;

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
      await rest(COME_BACK_AFTER_MS, signal);
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
