import {
  asCasefileError,
  feedbackListSchema,
  feedbackSchema,
  openedRunSchema,
  runDiffSchema,
  type Feedback,
  type FeedbackList,
  type GiveFeedback,
  type OpenedRun,
  type OpenRunAsk,
  type RunDiff,
  type ShownRun,
} from '@casefile/contracts';
import { requestJson } from './request-json.js';

/** Characters of an id. */
const WHOLE_ID = 36;

/** What the console of a running Casefile has on runs that are made again. */
export class RerunClient {
  constructor(private readonly baseUrl: string) {}

  /** @throws CasefileError `unknown_case`, and for what cannot be done. */
  async openRun(caseId: string, ask: OpenRunAsk): Promise<OpenedRun> {
    return openedRunSchema.parse(await this.post(`/cases/${encodeURIComponent(caseId)}/runs`, ask));
  }

  /** @throws CasefileError `not_found`. */
  async getRun(runId: string): Promise<ShownRun> {
    return (await requestJson(this.url(`/runs/${encodeURIComponent(runId)}`))) as ShownRun;
  }

  /** The run of this whole id; null: there is none. */
  async findRun(id: string): Promise<ShownRun | null> {
    if (id.length !== WHOLE_ID) return null;
    return this.getRun(id).catch((thrown: unknown) => {
      if (asCasefileError(thrown).reasonCode === 'not_found') return null;
      throw thrown;
    });
  }

  /** @throws CasefileError `not_found`. */
  async diff(a: string, b: string): Promise<RunDiff> {
    const path = `/runs/${encodeURIComponent(a)}/diff/${encodeURIComponent(b)}`;
    return runDiffSchema.parse(await requestJson(this.url(path)));
  }

  /** @throws CasefileError `unknown_case`, `conflict`, `answer_required`; InvalidInput for a field that the kind does not have. */
  async giveFeedback(caseId: string, said: GiveFeedback): Promise<Feedback> {
    return feedbackSchema.parse(await this.post(`/cases/${encodeURIComponent(caseId)}/feedback`, said));
  }

  /** @throws CasefileError `not_found`. */
  async withdrawFeedback({ caseId, id }: Pick<Feedback, 'caseId' | 'id'>): Promise<Feedback> {
    return feedbackSchema.parse(await this.post(`/cases/${caseId}/feedback/${id}/withdraw`, {}));
  }

  async listFeedback(caseId: string): Promise<FeedbackList> {
    const path = `/cases/${encodeURIComponent(caseId)}/feedback`;
    return feedbackListSchema.parse(await requestJson(this.url(path)));
  }

  private post(path: string, body: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return requestJson(this.url(path), { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private url(path: string): URL {
    return new URL(`/api/v1${path}`, this.baseUrl);
  }
}
