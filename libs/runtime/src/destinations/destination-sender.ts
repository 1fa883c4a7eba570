import {
  isWithheld,
  type AttemptEnd,
  type Logger,
  type PauseLimits,
  type Silences,
  type TakenDelivery,
  type Telemetry,
  type VerdictMessage,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { ActiveDestination } from '../config/added-destinations.js';
import type { VerdictRouter } from '@casefile/engine';
import { attemptDelivery, loadSending, type AttemptPorts, nextAttempt } from './attempt-delivery.js';
import { messageComposer, type Compose } from './compose-message.js';
import { OUTBOUND_FORMATS } from './formats.js';
import { labelsAsked, messageDeliveries, OPEN_FOR_MS, withheldVerdicts } from './new-deliveries.js';
import { silencesOf, type GatePorts } from '../silences/silence-gate.js';

/** Time for one request, in milliseconds. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** Maximum number of stored bytes of an answer; the rest is cut off. */
export const RESPONSE_BYTES = 2_000;
/**
 * Time for which a process reserves a delivery, in milliseconds. After it, the process counts as dead, and
 * another one sends the delivery.
 */
const TAKEN_FOR_MS = 2 * ATTEMPT_TIMEOUT_MS;
/** Maximum concurrent requests to one destination. */
const CONCURRENT = 8;
const POLL_MS = 1_000;
/** Interval of polls while there is no destination, in milliseconds. */
const POLL_WITHOUT_MS = 5_000;
/** A destination is paused after five days in which all its deliveries failed, at least 20. */
const PAUSE_LIMITS: PauseLimits = { forMs: 5 * 86_400_000, deliveries: 20 };

export interface SenderPorts extends AttemptPorts {
  store: AttemptPorts['store'] & GatePorts['store'] & { silences: Pick<Silences, 'withhold'> };
  /** Returns the destinations, with each `${NAME}` replaced by its value. */
  destinations(): Promise<readonly ActiveDestination[]>;
  /** Hours within which a person should answer, by kind; `default`: of the other kinds. */
  answerWithinHours: Readonly<Record<string, number>>;
  /** From 0 to 1. */
  random(): number;
  log: Logger;
  telemetry: Telemetry;
}

/** State of sending to one destination. `requests` counts the requests in progress. */
interface DestinationSending {
  destination: ActiveDestination;
  requests: number;
  isPolling: boolean;
  /** Whether another poll must follow, because a delivery may have become due since the last one began. */
  mustPollAgain: boolean;
}

/** Sends deliveries to destinations. Destinations are independent, so a slow destination delays no other. */
export class DestinationSender implements VerdictRouter {
  private readonly compose: Compose;
  private readonly queues = new Map<string, DestinationSending>();
  /** Polls and requests under way. `stop` waits for them. */
  private readonly open = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;
  private isLoaded = false;

  constructor(private readonly ports: SenderPorts) {
    this.compose = messageComposer(ports);
  }

  async route(
    verdicts: readonly VerdictMessage[],
    { byPerson } = { byPerson: false },
  ): Promise<ReadonlyMap<string, string>> {
    // Destinations have the verdict of the storm, which lists its members.
    const messages = verdicts.filter(({ verdict }) => verdict.storm === undefined || byPerson);
    const { store, clock, answerWithinHours } = this.ports;
    const now = clock.now();
    await this.refresh();
    const destinations = [...this.queues.values()].map(({ destination }) => destination);
    const listed = messages.map(async (message) => {
      const labels = await labelsAsked(store, destinations, message.runId);
      return destinations.flatMap((destination) =>
        messageDeliveries(destination, message, labels, { now, answerWithinHours }),
      );
    });
    const all = (await Promise.all(listed)).flat();
    const mayWithhold = isWithheld({ about: 'verdict', byPerson, isSilenced: true });
    // Usually no silence is in force. Then one statement is enough.
    if (mayWithhold && all.length > 0 && (await store.destinations.addUnlessSilent(all, now))) {
      this.wake();
      return new Map();
    }
    const runIds = messages.map(({ runId }) => runId);
    const silenced = mayWithhold ? await silencesOf(this.ports, runIds) : new Map<string, string>();
    const deliveries = all.map((delivery) => {
      const silenceId = silenced.get(delivery.runId ?? '');
      return silenceId === undefined ? delivery : { ...delivery, silenceId };
    });
    // Recorded first: a delivery that is not withheld shows that receivers have the verdict.
    await store.silences.withhold(withheldVerdicts(messages, silenced, deliveries), now);
    await store.destinations.add(deliveries, now);
    if (deliveries.length > 0) this.wake();
    return silenced;
  }

  /** Returns the destinations in force, with each `${NAME}` replaced by its value. */
  destinations(): Promise<readonly ActiveDestination[]> {
    return this.ports.destinations();
  }

  /** Polls for due deliveries every second if there are destinations. */
  start(): void {
    const next = () => {
      const wait = this.queues.size === 0 ? POLL_WITHOUT_MS : POLL_MS;
      this.timer = setTimeout(() => void this.tick().finally(() => this.timer !== null && next()), wait);
      this.timer.unref();
    };
    next();
    this.hold(this.tick());
  }

  /** Stops taking deliveries, waits for the requests under way, and closes the connections. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.idle();
    await this.ports.client.close();
  }

  /**
   * Adds deliveries for resolved and flapping alerts, and sends what is due. An outage is logged; the next poll tries
   * again.
   */
  async tick(): Promise<void> {
    const { store, clock, log } = this.ports;
    try {
      await this.refresh();
      const names = [...this.queues.values()]
        .filter(({ destination: { type } }) => OUTBOUND_FORMATS[type].reportsResolved)
        .map(({ destination }) => destination.name);
      const now = clock.now();
      await this.addFlapping(names, now);
      if (names.length > 0) await store.destinations.addResolved(names, now);
    } catch (error) {
      log.warn({ error }, 'destinations and resolved alerts could not be read yet');
    }
    this.wake();
  }

  private async addFlapping(resolving: readonly string[], now: number): Promise<void> {
    const { destinations: store } = this.ports.store;
    const destinations = [...this.queues.keys()];
    if (destinations.length === 0) return;
    const silences = await silencesOf(this.ports, await store.flappingRuns(destinations, now));
    const silenced = [...silences]
      .filter(() => isWithheld({ about: 'flapping', byPerson: false, isSilenced: true }))
      .map(([runId, silenceId]) => ({ runId, silenceId }));
    const openUntil = now + OPEN_FOR_MS;
    await store.addFlapping({ destinations, resolving, openUntil, silenced }, now);
  }

  /** Sends what is due now, without waiting for it. */
  wake(): void {
    for (const queue of this.queues.values()) this.wakeQueue(queue);
  }

  /** Resolves when no request is under way and nothing more is due. */
  async idle(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }

  // Requests in progress to a removed destination finish. A changed destination has its new definition from the next
  // request on.
  private async refresh(): Promise<void> {
    const destinations = await this.ports.destinations();
    if (destinations.length > 0) this.load();
    const names = new Set(destinations.map(({ name }) => name));
    for (const name of this.queues.keys()) if (!names.has(name)) this.queues.delete(name);
    for (const destination of destinations) {
      const queue = this.queues.get(destination.name);
      if (queue !== undefined) queue.destination = destination;
      else
        this.queues.set(destination.name, {
          destination,
          requests: 0,
          isPolling: false,
          mustPollAgain: false,
        });
    }
  }

  // Once, as soon as there is a destination: on a busy machine loading takes seconds, for which the first page
  // would wait.
  private load(): void {
    if (this.isLoaded) return;
    this.isLoaded = true;
    const { client, log } = this.ports;
    this.hold(
      loadSending(client).catch((error: unknown) =>
        log.warn(
          { error },
          'the code that sends to destinations could not be loaded in advance; the first send loads it',
        ),
      ),
    );
  }

  private wakeQueue(queue: DestinationSending): void {
    queue.mustPollAgain = true;
    if (!queue.isPolling && !this.isStopped) this.hold(this.poll(queue));
  }

  private hold(work: Promise<void>): void {
    const openWork = work.finally(() => this.open.delete(openWork));
    this.open.add(openWork);
  }

  // Takes due deliveries until none is left or more than half of the slots are in use. Waiting for half of
  // the slots to become free lets one statement take several deliveries. Each request that ends starts the
  // next poll.
  private async poll(queue: DestinationSending): Promise<void> {
    const { store, clock, log } = this.ports;
    const { name } = queue.destination;
    queue.isPolling = true;
    try {
      while (queue.mustPollAgain && !this.isStopped && queue.requests <= CONCURRENT / 2) {
        queue.mustPollAgain = false;
        const now = clock.now();
        const free = CONCURRENT - queue.requests;
        const deliveries = await store.destinations.take(name, now, now + TAKEN_FOR_MS, free);
        for (const delivery of deliveries) this.begin(queue, delivery);
      }
    } catch (error) {
      log.warn({ error, destination: name }, 'due deliveries could not be read yet');
    } finally {
      queue.isPolling = false;
    }
  }

  private begin(queue: DestinationSending, delivery: TakenDelivery): void {
    const { log } = this.ports;
    const { name } = queue.destination;
    queue.requests += 1;
    const sent = this.send(queue.destination, delivery)
      .catch((error: unknown) => log.warn({ error, destination: name }, 'an attempt was not recorded'))
      .finally(() => {
        queue.requests -= 1;
        this.wakeQueue(queue);
      });
    this.hold(sent);
  }

  private async send(destination: ActiveDestination, delivery: TakenDelivery): Promise<void> {
    await this.settle(await this.attempt(destination, delivery));
  }

  /** Sends a delivery once and returns how the attempt ended. Records nothing. Never fails. */
  async attempt(destination: ActiveDestination, delivery: TakenDelivery): Promise<AttemptEnd> {
    const { clock, random, log, telemetry } = this.ports;
    const { name } = destination;
    const startedAt = clock.now();
    const result = await attemptDelivery(this.ports, this.compose, destination, delivery);
    const now = clock.now();
    const done = delivery.attempts + 1;
    const { status, problem, retryAfterMs, message, response, countsAsFailure } = result;
    const nextAt = problem === null ? null : nextAttempt(done, now, retryAfterMs, random());
    const gone = status === 410;
    const outcome = problem === null ? 'delivered' : nextAt === null ? 'exhausted' : 'failed';
    telemetry.count(METRICS.destinationAttempts, { destination: name, outcome });
    if (problem !== null)
      log.warn(
        { destination: name, deliveryId: delivery.id, attempt: done, status, problem },
        'a delivery failed',
      );
    return {
      deliveryId: delivery.id,
      destination: name,
      attempt: {
        at: new Date(startedAt).toISOString(),
        status,
        latencyMs: now - startedAt,
        problem,
        response,
      },
      message: message?.text ?? null,
      // 410 pauses the destination. The delivery becomes due immediately, so it is sent as soon as the
      // pause ends.
      nextAt: gone && nextAt !== null ? now : nextAt,
      pauseWhy: gone ? 'The receiver answered 410: it is gone.' : null,
      countsAsFailure,
    };
  }

  /** Records an attempt. @throws if the store does not answer. */
  async settle(end: AttemptEnd): Promise<void> {
    const { store, clock, log } = this.ports;
    const why = await store.destinations.settle(end, clock.now(), PAUSE_LIMITS);
    if (why !== null) log.error({ destination: end.destination, why }, 'the destination is paused');
  }
}
