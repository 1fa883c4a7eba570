import {
  acceptedAlertSchema,
  acceptedBatchSchema,
  CasefileError,
  type AcceptedAlert,
  type JsonObject,
  type z,
} from '@casefile/contracts';
import { errorOf, requestJson } from './request-json.js';

export type Accepted = AcceptedAlert;

/** One alert of a batch: taken in, or why not. */
export type Submission = Accepted | { error: CasefileError };

/** The intake of a running Casefile. */
export class IntakeClient {
  constructor(private readonly baseUrl: string) {}

  /** Submits one alert. With `key` a second submission of the same alert answers as the first did; `again` judges it anew. */
  async submit(alert: JsonObject, { key, again }: { key?: string; again?: boolean } = {}): Promise<Accepted> {
    return read(acceptedAlertSchema, await this.post(alert, again === true, key));
  }

  /** Submits many alerts at once; the bad ones do not keep the others out. */
  async submitAll(alerts: JsonObject[], again = false): Promise<Submission[]> {
    const { results } = read(acceptedBatchSchema, await this.post(alerts, again));
    return results.map((result) =>
      'problem' in result ? { error: errorOf(result.problem, result.problem.status) } : result,
    );
  }

  private post(body: JsonObject | JsonObject[], again: boolean, key?: string): Promise<unknown> {
    const headers = {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    return requestJson(new URL(again ? '/v1/alerts?again=true' : '/v1/alerts', this.baseUrl), {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
  }
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CasefileError('bad_answer', 'the intake answered in a shape that is not known');
}
