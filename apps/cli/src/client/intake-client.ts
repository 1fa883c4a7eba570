import {
  acceptedAlertSchema,
  acceptedBatchSchema,
  CasefileError,
  type AcceptedAlert,
  type IntakeLane,
  type JsonObject,
  type z,
} from '@casefile/contracts';
import { errorOf, requestJson } from './request-json.js';

export type Accepted = AcceptedAlert;

/** One alert of a batch: taken in, or why not. */
export type Submission = Accepted | { error: CasefileError };

/** How alerts are to be taken in. */
export interface Wish {
  /** Judge them again, whatever the last verdicts of their cases are; `key`: the cases that their keys opened. */
  again?: boolean | 'key';
  /** Left out: live. */
  lane?: IntakeLane;
  /** To check or to measure: the name under which its case is on the record. */
  dataset?: string;
  /** With `dataset`: in place of the strategy of its kind. */
  strategy?: string;
}

/** The intake of a running Casefile. */
export class IntakeClient {
  constructor(
    private readonly baseUrl: string,
    private readonly path = '/v1/alerts',
  ) {}

  /** The intake of a console, which takes one alert a request. */
  static ofConsole(consoleUrl: string): IntakeClient {
    return new IntakeClient(consoleUrl, '/api/v1/alerts');
  }

  /** Submits one alert. With `key` a second submission of the same alert answers as the first did. */
  async submit(alert: JsonObject, { key, ...wish }: Wish & { key?: string } = {}): Promise<Accepted> {
    return read(acceptedAlertSchema, await this.post(alert, wish, key));
  }

  /** Submits many alerts at once; the bad ones do not keep the others out. */
  async submitAll(alerts: JsonObject[], wish: Wish = {}): Promise<Submission[]> {
    const { results } = read(acceptedBatchSchema, await this.post(alerts, wish));
    return results.map((result) =>
      'problem' in result ? { error: errorOf(result.problem, result.problem.status) } : result,
    );
  }

  private post(
    body: JsonObject | JsonObject[],
    { again, lane, dataset, strategy }: Wish,
    key?: string,
  ): Promise<unknown> {
    const headers = {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const url = new URL(this.path, this.baseUrl);
    if (again !== undefined && again !== false) url.searchParams.set('again', String(again));
    for (const [name, value] of Object.entries({ lane, dataset, strategy }))
      if (value !== undefined) url.searchParams.set(name, value);
    return requestJson(url, {
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
