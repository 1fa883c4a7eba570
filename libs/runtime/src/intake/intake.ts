import {
  CasefileError,
  type Json,
  alertLine,
  IGNORED_IN_WORDS,
  DEMONSTRATION,
  instantMs,
  InvalidInput,
  type AcceptedAlert,
  type AcceptRequest,
  type AcceptResult,
  type AlertInput,
  type CaseStore,
  type Clock,
  type Ids,
  type Queue,
  type ReceivedAlert,
  type RunSettings,
  type Telemetry,
  writesForLane,
} from '@casefile/contracts';
import type { Nudger, StageExecutor } from '@casefile/engine';
import { kindDisplay, type Playbook } from '@casefile/pipeline';
import type { Occurrence } from '@casefile/pipeline/parts/intake';
import { ATTRIBUTES, METRICS, SPANS } from '@casefile/telemetry';
import { checkSender } from '../access/alert-sender.js';
import type { SenderBudgets } from '../access/sender-budgets.js';
import type { SettingsFile } from '../config/settings-schema.js';
import type { ArmAssignment } from '../rollout/assign-arm.js';
import { correlate, readTopology, type Topology } from '../storms/correlate.js';
import { optionsLane, type AcceptOptions } from './accept-options.js';
import {
  checkAlert,
  type CameBy,
  type CheckedAlert,
  type CheckLimits,
  type CheckPorts,
} from './check-alert.js';
import { bodyDigest, alertFingerprint, fingerprintOfKey, senderKeyDigest } from './fingerprint.js';
import { alertTurns } from './turns.js';

/** Masks the secrets in a value. @throws if the value cannot be scanned for secrets. */
type Mask = (value: Json) => Promise<{ value: Json }>;

/** Returns an alert without secrets. Its image is unchanged. @throws CasefileError `withheld`. */
async function maskAlert(alert: Json, mask: Mask): Promise<Json> {
  try {
    if (typeof alert !== 'object' || alert === null || Array.isArray(alert)) return (await mask(alert)).value;
    const { image, ...rest } = alert;
    const value = (await mask(rest)).value as Record<string, Json>;
    return image === undefined ? value : { ...value, image };
  } catch (cause) {
    throw new CasefileError('withheld', 'the alert could not be scanned for secrets', { cause });
  }
}

/** Largest accepted lead of a sender's clock, in milliseconds. */
const MOST_AHEAD_MS = 3_600_000;

export interface IntakePorts extends CheckPorts {
  store: CaseStore;
  nudger: Pick<Nudger, 'nudge'>;
  /** Checks an alert before it is accepted. */
  queue: Pick<Queue, 'unusable'>;
  firstStage: string;
  /**
   * Accepts a run, and executes its first stage in this process if a slot is free. Default: the first stage
   * always gets a job on its queue.
   */
  acceptAndRun?: StageExecutor['acceptAndRun'];
  /** Puts new runs into the arms of experiments. Default: no run has an arm. */
  arms?: Pick<ArmAssignment, 'assign'>;
  /** Daily budgets of the senders' access keys. Default: not checked. */
  senderBudgets?: Pick<SenderBudgets, 'check'>;
  clock: Clock;
  ids: Ids;
  telemetry: Telemetry;
  mask: Mask;
}

export interface IntakeLimits extends CheckLimits {
  /** Unfinished runs above which alerts are refused. */
  maxBacklog: number;
  /** Waiting time that the answer to a refused sender states, in milliseconds. */
  retryAfterMs: number;
  /** Secret with which fingerprints are computed. */
  fingerprintKey: string;
  /**
   * Whether a case closes when its sender reports that the alert is resolved. Default: the case stays as it
   * is, and only records the time.
   */
  closesResolved?: boolean;
  /** How alerts of one cause are found. Default: each alert is judged separately. */
  correlation?: SettingsFile['correlation'];
}

export type AcceptedAlertResult = AcceptedAlert;

/** Accepts alerts. An alert is in the database before its sender gets the answer, so it cannot be lost. */
export class Intake {
  private readonly topology: Topology | null;

  constructor(
    private readonly ports: IntakePorts,
    private readonly limits: IntakeLimits,
  ) {
    this.topology = limits.correlation === undefined ? null : readTopology(limits.correlation);
  }

  /**
   * Accepts an alert for a caller that needs its case. @throws like `receive`; InvalidInput if the alert opens no
   * case.
   */
  async accept(body: unknown, options: AcceptOptions = {}): Promise<AcceptedAlertResult> {
    const received = await this.receive(body, options);
    if (!('ignored' in received)) return received;
    throw new InvalidInput(
      [{ path: 'payload', message: `expected an alert, not ${IGNORED_IN_WORDS[received.ignored]}` }],
      'alert',
    );
  }

  /**
   * Accepts an alert, or ignores it if it opens no case. @throws InvalidInput that names each wrong field;
   * CasefileError `overloaded` (retryable), `queue_unusable`, `idempotency_key_reused`, `forbidden`, `budget_exhausted`.
   */
  async receive(body: unknown, options: AcceptOptions = {}): Promise<ReceivedAlert> {
    const { alert, playbook, chosenBy } = this.check(body, options);
    const { sender } = options;
    const lane = optionsLane(options);
    if (sender !== undefined) {
      checkSender(sender, { kind: playbook.name, source: alert.source, lane });
      await this.ports.senderBudgets?.check(sender);
    }
    this.refuseWithoutQueues();
    await this.refuseIfOverloaded();
    const { telemetry } = this.ports;
    return telemetry.span(SPANS.accept, { [ATTRIBUTES.playbook]: playbook.name }, async (span) => {
      // The fingerprint and the settings are computed before secrets are masked. Otherwise two alerts that
      // differ only in a masked part would join one case.
      const request = this.requestFor(alert, playbook, body, options);
      const armed = { ...request, settings: await this.inArm(request, playbook) };
      const masked = await this.withoutSecrets(alert);
      const line = alertLine(masked, kindDisplay(playbook.presenting));
      const correlation = this.maskedCorrelation(armed, masked, playbook);
      const result = await this.record({ ...armed, alert: masked, line, ...correlation });
      if (result.kind === 'key-reused') {
        throw new CasefileError(
          'idempotency_key_reused',
          'this Idempotency-Key was used before with another body',
        );
      }
      if (result.kind === 'ignored') {
        telemetry.count(METRICS.alertsIgnored, { playbook: playbook.name, reason: result.why });
        return { ignored: result.why, playbook: playbook.name };
      }
      const { alertId, caseId, runId, joined } = result;
      span.set({ [ATTRIBUTES.caseId]: caseId, [ATTRIBUTES.runId]: runId });
      telemetry.count(METRICS.alertsAccepted, { playbook: playbook.name, joined: String(joined) });
      if (result.kind === 'accepted') await this.ports.nudger.nudge(result.nudges);
      const verdictOf = result.kind === 'accepted' ? result.verdictOf : undefined;
      const of = { playbook: playbook.name, chosenBy };
      return { alertId, caseId, runId, joined, ...of, ...(verdictOf === undefined ? {} : { verdictOf }) };
    });
  }

  /** Returns what is stored of an idempotency key of a sender. */
  storedKey(idempotencyKey: string): string {
    return senderKeyDigest(idempotencyKey, this.limits.fingerprintKey);
  }

  /**
   * Returns a refused alert with its secrets masked, to be recorded next to its edit. @throws CasefileError
   * `withheld`.
   */
  maskedOriginal(payload: Json): Promise<Json> {
    return maskAlert(payload, this.ports.mask);
  }

  /**
   * Returns the alert with its secrets masked. @throws CasefileError `withheld` if it cannot be scanned for
   * them.
   */
  private async withoutSecrets<A extends AlertInput>(alert: A): Promise<A> {
    const masked = alertTurns.run(() => maskAlert(alert as unknown as Json, this.ports.mask));
    return (await masked) as unknown as A;
  }

  // Names of groups and services are parts of labels. In a part, the word that shows a secret may be missing, so the
  // parts are those of the masked alert.
  private maskedCorrelation(
    { correlation, receivedAt }: Pick<AcceptRequest, 'correlation' | 'receivedAt'>,
    masked: AlertInput & { playbook: string },
    { intake }: Playbook,
  ): Pick<AcceptRequest, 'correlation'> {
    if (correlation === undefined) return {};
    const repeats = intake.repeats(masked);
    if (repeats.by !== 'occurrence') return {};
    const { occurrence } = repeats;
    return this.correlated({ ...occurrence, startedAt: this.startOf(occurrence.startedAt) }, receivedAt);
  }

  private async record(request: AcceptRequest): Promise<AcceptResult> {
    const { store, acceptAndRun } = this.ports;
    const { runs } = writesForLane(store, request.lane);
    if (acceptAndRun === undefined) return runs.accept(request);
    return acceptAndRun(request.firstStage, request.lane, (claimForMs) =>
      runs.accept(claimForMs === undefined ? request : { ...request, claimForMs }),
    );
  }

  private requestFor(
    alert: AlertInput & { playbook: string },
    playbook: Playbook,
    body: unknown,
    {
      idempotencyKey,
      ownKey,
      keyedPart = body as Json,
      provenBy,
      sender,
      dataset,
      strategy,
      again = false,
      ...options
    }: AcceptOptions,
  ): Omit<AcceptRequest, 'line'> {
    const { ids, clock, telemetry } = this.ports;
    const receivedAt = alert.receivedAt ?? new Date(clock.now()).toISOString();
    const settings = this.settingsOf(alert, playbook, dataset === undefined ? null : { strategy });
    const isMeasured = dataset !== undefined;
    const key = ownKey ?? (idempotencyKey === undefined ? undefined : this.storedKey(idempotencyKey));
    // Answers of a demonstration are of one alert each.
    const correlatedAt = isMeasured || settings.provider === DEMONSTRATION ? null : receivedAt;
    return {
      alert,
      alertId: ids.id(),
      caseId: ids.id(),
      runId: ids.id(),
      ...this.joinKey(alert, playbook, { isMeasured, provenBy, correlatedAt }),
      idempotency: key === undefined ? null : { key, bodyDigest: bodyDigest(keyedPart) },
      settings,
      lane: optionsLane({ ...options, dataset }),
      ...(sender === undefined ? {} : { sender: sender.name }),
      ...(dataset === undefined ? {} : { dataset }),
      firstStage: this.ports.firstStage,
      receivedAt,
      again,
      trace: telemetry.here(),
    };
  }

  // Some runs never get an arm: a measurement tests the normal settings, and the answers of a demonstration
  // fit only the shipped prompts. Alerts with the same fingerprint get the same arm. An alert that joins no
  // case has no fingerprint, so a fingerprint of its content is computed here.
  private async inArm(
    { settings, fingerprint, alert, dataset }: Omit<AcceptRequest, 'line'>,
    playbook: Playbook,
  ): Promise<RunSettings> {
    const { arms } = this.ports;
    if (arms === undefined || dataset !== undefined || settings.provider === DEMONSTRATION) return settings;
    return arms.assign(
      settings,
      playbook,
      fingerprint ?? alertFingerprint(alert, this.limits.fingerprintKey),
    );
  }

  // A measurement has `outward: false`, so that its verdict reaches no receiver. Its caller reads the verdict
  // by API.
  private settingsOf(
    alert: AlertInput,
    playbook: Playbook,
    measured: { strategy: string | undefined } | null,
  ): RunSettings {
    const settings = this.ports.settingsOf(playbook, alert);
    if (measured === null) return settings;
    const { strategy = settings.strategy } = measured;
    if (measured.strategy !== undefined && !Object.hasOwn(playbook.strategies, strategy)) {
      const message = `expected one of ${Object.keys(playbook.strategies).join(', ')}`;
      this.ports.telemetry.count(METRICS.alertsRefused, { reason: 'invalid' });
      throw new InvalidInput([{ path: 'strategy', message }], 'alert');
    }
    return { ...settings, strategy, outward: false };
  }

  /**
   * Returns the key by which the alert joins a case, and its occurrence. A measurement gets no key, so that
   * it changes no real case.
   */
  private joinKey(
    alert: AlertInput & { playbook: string },
    { name, intake }: Playbook,
    {
      isMeasured,
      provenBy,
      correlatedAt,
    }: { isMeasured: boolean; provenBy: string | undefined; correlatedAt: string | null },
  ): Pick<AcceptRequest, 'fingerprint' | 'occurrence' | 'holdOffMs' | 'joinedBy' | 'correlation'> {
    const { fingerprintKey: key, closesResolved: closes = false } = this.limits;
    const repeats = intake.repeats(alert);
    const { holdOffMs } = repeats;
    if (repeats.by !== 'occurrence') {
      const joins = repeats.by === 'content' && !isMeasured;
      return { fingerprint: joins ? alertFingerprint(alert, key) : null, holdOffMs };
    }
    const { occurrence, mostRunsPerHour } = repeats;
    const startedAt = this.startOf(occurrence.startedAt);
    return {
      ...this.correlated({ ...occurrence, startedAt }, correlatedAt),
      fingerprint: isMeasured ? null : fingerprintOfKey(name, occurrence.key, key, provenBy),
      holdOffMs,
      ...(occurrence.joinedBy === undefined ? {} : { joinedBy: occurrence.joinedBy }),
      occurrence: {
        startedAt,
        resolved: occurrence.resolved,
        ...(occurrence.remark === true ? { remark: true } : {}),
        ...(occurrence.joinsOnly === true ? { joinsOnly: true } : {}),
        ...(occurrence.grade === undefined ? {} : { grade: occurrence.grade }),
        mostRunsPerHour,
        closes: closes && !isMeasured,
      },
    };
  }

  private correlated(occurrence: Occurrence, receivedAt: string | null): Pick<AcceptRequest, 'correlation'> {
    const { correlation: settings } = this.limits;
    if (settings === undefined || this.topology === null || receivedAt === null) return {};
    const correlation = correlate(occurrence, receivedAt, settings, this.topology);
    return correlation === undefined ? {} : { correlation };
  }

  // Returns null for an invalid start, and for one too far in the future. With a future start, every later
  // alert would be treated as older, although its start is correct.
  private startOf(startedAt: string | null): string | null {
    const at = startedAt === null ? null : instantMs(startedAt);
    if (at === null || at > this.ports.clock.now() + MOST_AHEAD_MS) return null;
    return new Date(at).toISOString();
  }

  private check(body: unknown, cameBy: CameBy): CheckedAlert {
    try {
      return checkAlert(body, cameBy, this.ports, this.limits);
    } catch (thrown) {
      this.ports.telemetry.count(METRICS.alertsRefused, { reason: 'invalid' });
      throw thrown;
    }
  }

  // While the queue store is away, alerts are accepted and judged later. On a wrong form of it, none ever would be.
  private refuseWithoutQueues(): void {
    const why = this.ports.queue.unusable();
    if (why === null) return;
    this.ports.telemetry.count(METRICS.alertsRefused, { reason: 'queue_unusable' });
    throw new CasefileError('queue_unusable', `No alert can be judged: ${why}`, {
      retryAfterMs: this.limits.retryAfterMs,
    });
  }

  private async refuseIfOverloaded(): Promise<void> {
    if ((await this.ports.store.runs.backlog()) < this.limits.maxBacklog) return;
    this.ports.telemetry.count(METRICS.alertsRefused, { reason: 'overloaded' });
    throw new CasefileError('overloaded', `more than ${this.limits.maxBacklog} runs wait already`, {
      retryable: true,
      retryAfterMs: this.limits.retryAfterMs,
    });
  }
}
