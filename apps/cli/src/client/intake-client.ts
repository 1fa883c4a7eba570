import {
  receivedAlertSchema,
  acceptedBatchSchema,
  CasefileError,
  IGNORED_IN_WORDS,
  type AcceptedAlert,
  type IgnoredAlert,
  type IntakeLane,
  type JsonObject,
  type z,
} from '@casefile/contracts';
import { errorFromProblem, requestJson } from './request-json.js';

export type SubmittedAlert = AcceptedAlert;

/** Result of one alert of a batch: accepted, or the error. */
export type Submission = SubmittedAlert | { error: CasefileError };

/** Options for accepting alerts. */
export interface Wish {
  /**
   * true: judge the alerts again even if their cases have verdicts; `key`: judge the cases that their keys
   * opened again.
   */
  again?: boolean | 'key';
  /** Default: live. */
  lane?: IntakeLane;
  /** Data set name under which the case is kept on the record, for checks and measurements. */
  dataset?: string;
  /** Used together with `dataset`: replaces the strategy of the alert's kind. */
  strategy?: string;
}

/** The intake of a running Casefile. */
export class IntakeClient {
  constructor(
    private readonly baseUrl: string,
    private readonly path = '/v1/alerts',
  ) {}

  /** Returns the intake of a console, which accepts one alert per request. */
  static ofConsole(consoleUrl: string): IntakeClient {
    return new IntakeClient(consoleUrl, '/api/v1/alerts');
  }

  /**
   * Submits one alert. A second submission of the same alert with the same `key` gets the answer of the
   * first.
   */
  async submit(alert: JsonObject, { key, ...wish }: Wish & { key?: string } = {}): Promise<SubmittedAlert> {
    const received = read(receivedAlertSchema, await this.post(alert, wish, key));
    if ('ignored' in received) throw ignoredError(received);
    return received;
  }

  /** Submits many alerts in one request. Invalid alerts do not keep the others out. */
  async submitAll(alerts: JsonObject[], wish: Wish = {}): Promise<Submission[]> {
    const { results } = read(acceptedBatchSchema, await this.post(alerts, wish));
    return results.map((result) => {
      if ('ignored' in result) return { error: ignoredError(result) };
      return 'problem' in result
        ? { error: errorFromProblem(result.problem, result.problem.status) }
        : result;
    });
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

function ignoredError({ ignored }: IgnoredAlert): CasefileError {
  return new CasefileError('conflict', `The alert opened no case: it reports ${IGNORED_IN_WORDS[ignored]}.`);
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CasefileError('bad_answer', 'the intake returned an unknown response format');
}
