import {
  CasefileError,
  parseBounded,
  isExact,
  z,
  type CaseStore,
  type Clock,
  type ForeignSilence,
  type Leadership,
  type Logger,
} from '@casefile/contracts';
import { createGuardedRead } from '@casefile/evidence';
import type { ConfiguredAlertmanager } from '../config/alertmanager-settings.js';
import { matcherProblems } from './matching.js';

/** Largest answer that is read, in bytes: about 5,000 silences. */
export const MOST_SILENCE_BYTES = 4_000_000;
/** Time for one answer, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Longest texts that are kept. */
const MOST = { reason: 500, author: 200, matcher: 1_000 };

/** A silence of the API of Alertmanager, version 2. Older ones have no `isEqual`. */
const silenceSchema = z.looseObject({
  id: z.string().min(1).max(100),
  status: z.looseObject({ state: z.string() }),
  startsAt: z.iso.datetime({ offset: true }),
  endsAt: z.iso.datetime({ offset: true }),
  createdBy: z.string().default(''),
  comment: z.string().default(''),
  matchers: z.array(
    z.looseObject({
      name: z.string(),
      value: z.string(),
      isRegex: z.boolean(),
      isEqual: z.boolean().default(true),
    }),
  ),
});

export interface AlertmanagerPorts {
  alertmanager: ConfiguredAlertmanager;
  store: Pick<CaseStore, 'lead' | 'silences'>;
  clock: Clock;
  log: Logger;
}

/**
 * Reads the silences of an Alertmanager, so that they apply to alerts from other senders too. One process at a time reads
 * them. While Alertmanager does not answer, the silences that were read last apply until they end.
 */
export class AlertmanagerReader {
  private timer: NodeJS.Timeout | null = null;
  private leadership: Leadership | null = null;
  private pass: Promise<void> = Promise.resolve();
  private readonly over = new AbortController();

  constructor(private readonly ports: AlertmanagerPorts) {}

  start(): void {
    const { alertmanager } = this.ports;
    const next = (waitMs: number) => {
      this.timer = setTimeout(() => {
        this.pass = this.tick().finally(() => this.timer !== null && next(alertmanager.everySeconds * 1_000));
      }, waitMs).unref();
    };
    next(0);
  }

  /** Ends the current reading. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.over.abort();
    await this.pass;
    await this.resign();
  }

  /** One pass, unless another process reads. An outage is logged, and the next pass tries again. */
  async tick(): Promise<void> {
    const { alertmanager, store, clock, log } = this.ports;
    if (this.over.signal.aborted) return;
    try {
      this.leadership ??= await store.lead('alertmanager');
      if (this.leadership === null) return;
      const silences = await this.read(alertmanager);
      await store.silences.replace('alertmanager', silences, clock.now());
    } catch (error) {
      if (!this.over.signal.aborted)
        log.warn({ error }, 'the silences of Alertmanager could not be read; those read last still apply');
      await this.resign();
    }
  }

  private async read({ url, headers, allowPrivate }: ConfiguredAlertmanager): Promise<ForeignSilence[]> {
    const { origin, pathname } = new URL(url);
    const read = createGuardedRead({
      baseUrl: origin,
      ...(allowPrivate ? {} : { untrusted: true as const }),
      maxBytes: MOST_SILENCE_BYTES,
    });
    const late = new AbortController();
    const limit = setTimeout(
      () => late.abort(new DOMException('Alertmanager is silent', 'TimeoutError')),
      TIMEOUT_MS,
    ).unref();
    const signal = AbortSignal.any([this.over.signal, late.signal]);
    const path = `${pathname.replace(/\/$/, '')}/api/v2/silences`;
    const answer = await read(
      { path, headers, acceptedStatuses: [] },
      { signal, clock: this.ports.clock },
    ).finally(() => clearTimeout(limit));
    return silencesIn(answer.bytes);
  }

  private async resign(): Promise<void> {
    const leadership = this.leadership;
    this.leadership = null;
    await leadership?.release().catch((error: unknown) => {
      this.ports.log.debug({ error }, 'leadership was gone already');
    });
  }
}

/**
 * Returns the silences of an answer of Alertmanager that are not over. One that does not fit is returned with its problem.
 * @throws CasefileError `unreadable_file` if the answer has another form.
 */
export function silencesIn(answer: Buffer): ForeignSilence[] {
  const { data, error } = z.array(silenceSchema).safeParse(jsonIn(answer));
  if (data === undefined)
    throw new CasefileError(
      'unreadable_file',
      `Alertmanager sent no list of silences: ${error.message.slice(0, 300)}`,
    );
  return data
    .filter(({ status }) => status.state !== 'expired')
    .map(({ id, startsAt, endsAt, createdBy, comment, matchers }) => {
      const own = matchers.map(({ name, value, isRegex, isEqual }) => ({ name, value, isRegex, isEqual }));
      const author = createdBy.slice(0, MOST.author).toWellFormed();
      return {
        id,
        matchers: own,
        startsAt,
        endsAt,
        reason: comment.slice(0, MOST.reason).toWellFormed(),
        author,
        problem: problemOf(own),
      };
    });
}

function problemOf(matchers: ForeignSilence['matchers']): string | null {
  if (!matchers.some(isExact)) return 'It has no matcher with an exact value, so it could match every alert.';
  if (matchers.some(({ value }) => value.length > MOST.matcher))
    return `A matcher has more than ${MOST.matcher} characters.`;
  const [first] = matcherProblems(matchers);
  return first === undefined ? null : `${first.path}: ${first.message}`;
}

function jsonIn(text: Buffer): unknown {
  try {
    return parseBounded(text, 'The list of silences of Alertmanager');
  } catch (error) {
    if (error instanceof CasefileError) throw error;
    return null;
  }
}
