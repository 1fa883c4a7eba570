import { planAccept, type KnownCase } from '../intake/index.js';
import { higherGrade, type Grade } from '../transitions/grade.js';
import {
  afterSilence,
  answerTransition,
  isWithheld,
  verdictTransition,
  type DisabledRules,
  type RememberedRecovery,
} from '../transitions/index.js';
import type { KnownOccurrences } from '../intake/occurrence.js';
import { planProposal } from '../reviews/proposed-verdict.js';
import type { AcceptRequest } from '../ports/runs.js';
import type { Ids } from '../ports/clock.js';
import { countingIds } from './builders.js';
import {
  alertRequest,
  openedRun,
  verdictOn,
  type AlertKind,
  type ModelRun,
  type ObservedCase,
} from './case-model-parts.js';
import { checkRun, type CheckedState } from './case-model-checks.js';
import { ModelReceivers } from './case-model-receivers.js';

const HOUR_MS = 3_600_000;

/** A case that is changed by the same functions as in the store, with what receivers got. */
export class CaseModel {
  readonly ids: Ids;
  readonly runs: ModelRun[] = [];
  readonly receivers = new ModelReceivers();
  /** Violated sentences. */
  readonly broken: string[] = [];
  private now = Date.parse('2026-01-05T10:00:00Z');
  private known: KnownCase | null = null;
  private recovery: RememberedRecovery | null = null;
  private leading: ModelRun | null = null;
  private decidedAt: number | null = null;
  private lastAlertAt = 0;
  private order = 0;
  private lastDecision = -1;
  private answer: { says: string; runId: string; id: string } | null = null;
  private answers = 0;
  /** Grades judged since the newest occurrence that opened a run, for the check of escalations. */
  private judged: Grade[] = [];
  private isOver = false;
  private isSilenced = false;
  private isNewOccurrence = true;
  /** Runs of alerts of erased cases. */
  private erased = 0;

  constructor(
    seed: number,
    private readonly disabled: DisabledRules,
  ) {
    this.ids = countingIds(seed);
  }

  /** Says that a sentence is violated. */
  private expect(holds: boolean, sentence: string): void {
    if (!holds && !this.broken.includes(sentence)) this.broken.push(sentence);
  }

  /** Time passes. Corrections that wait are sent first. */
  wait(ms: number): void {
    this.receivers.send(this.runs);
    this.now += ms;
  }

  /** An alert arrives. `start` is in minutes; null: its sender reports no time. */
  alert(start: number | null, kind: AlertKind, grade: Grade, isRequested: boolean): void {
    const before = this.facts();
    const request = alertRequest(
      this.ids,
      { start, kind, grade, isRequested },
      { fingerprint: 'f', receivedAt: new Date(this.now).toISOString() },
    );
    const { startedAt } = request.occurrence!;
    const plan = this.accept(request);
    const [result] = plan.results;
    const opened = plan.runs[0]?.request ?? null;
    if (result?.kind === 'ignored') {
      this.expect(
        kind === 'resolved' || kind === 'remark',
        'Nothing accepted disappears: an alert that fires is recorded.',
      );
      this.recovery =
        plan.recoveries[0] === undefined
          ? this.recovery
          : { startedAt: startedAt === null ? null : Date.parse(startedAt), at: this.now, agoMs: 0 };
      return;
    }
    if (plan.joinedRecoveries.length > 0) this.recovery = null;
    this.expect(plan.alerts.length === 1, 'Nothing accepted disappears: an alert that fires is recorded.');
    if (kind === 'resolved') this.expect(opened === null, 'A recovery or a remark opens no run.');
    if (kind === 'remark') this.expect(this.known !== null, 'A recovery or a remark opens no run.');
    this.isNewOccurrence = checkRun(
      { kind, startedAt, grade: this.reported(kind, grade), opened, isRequested },
      before,
      this.expect.bind(this),
    );
    this.record(plan, opened, this.reported(kind, grade));
  }

  // Remarks and words of recovery report no level of their own.
  private reported(kind: AlertKind, grade: Grade): Grade {
    const isAside = (kind === 'remark' || kind === 'words') && this.judged.length > 0;
    return isAside ? { ...grade, level: this.judged.reduce(higherGrade).level } : grade;
  }

  private accept(request: AcceptRequest) {
    const cases = this.known === null ? [] : [this.refreshed(this.known)];
    const recoveries =
      this.recovery === null
        ? []
        : [{ ...this.recovery, agoMs: this.now - this.recovery.at, fingerprint: 'f' }];
    return planAccept(
      [request],
      { keys: [], alerts: [], cases, providersOut: [], recoveries, storms: [] },
      this.disabled,
    );
  }

  /** The case as the store reads it before an alert. */
  private refreshed(known: KnownCase): KnownCase {
    const { occurrences } = known;
    const decidedAgoMs = this.decidedAt === null ? null : this.now - this.decidedAt;
    const newest = Math.max(...this.runsOfAlerts().map(({ openedAt }) => openedAt));
    const isDecided = this.leading?.verdict !== null;
    const refreshed: KnownOccurrences | null =
      occurrences === undefined || occurrences === null
        ? null
        : {
            ...occurrences,
            isUnderWay: !isDecided,
            runsLastHour: this.runsOfAlerts().filter(({ openedAt }) => openedAt > this.now - HOUR_MS).length,
            lastAgoMs: this.now - this.lastAlertAt,
          };
    return {
      ...known,
      status: isDecided ? 'decided' : 'open',
      isAnswered: this.answer !== null,
      decidedAgoMs:
        this.answer !== null && decidedAgoMs !== null
          ? Math.min(decidedAgoMs, this.now - newest)
          : decidedAgoMs,
      verdict: isDecided
        ? {
            runId: this.leading!.id,
            decidedAt: '',
            degraded: this.leading!.isDegraded,
            degradedNote: '',
            degradedBy: this.leading!.isDegraded ? ['model_out'] : [],
            method: 'llm',
            provider: 'x',
            isCorrected: this.receivers.correctionsOf(this.leading?.id).length > 0,
          }
        : null,
      occurrences: refreshed,
    };
  }

  private facts(): CheckedState {
    return {
      known: this.known,
      isAnswered: this.answer !== null,
      // A degraded verdict is judged again when the model is available, unless a person answered.
      isKept: this.answer !== null || this.leading?.isDegraded !== true,
      startedAt: this.known?.occurrences?.startedAt ?? null,
      isOver: this.isOver,
      lastAlertAgoMs: this.now - this.lastAlertAt,
      decidedAgoMs: this.decidedAt === null ? null : this.now - this.decidedAt,
      runsLastHour: this.runsOfAlerts().filter(({ openedAt }) => openedAt > this.now - HOUR_MS).length,
      judged: [...this.judged],
    };
  }

  private record(plan: ReturnType<typeof planAccept>, opened: AcceptRequest | null, grade: Grade): void {
    const [change] = [...plan.cases.values()];
    const wasKnown = this.known !== null;
    const leads = change?.runId !== null && change !== undefined;
    const base: KnownCase = this.known ?? {
      id: change!.id,
      fingerprint: 'f',
      status: 'open',
      decidedAgoMs: null,
      newestRunId: change!.runId ?? '',
      isAnswered: false,
      verdict: null,
      occurrences: null,
    };
    const occurrences = change?.occurrences ?? base.occurrences ?? null;
    this.known = { ...base, occurrences, newestRunId: leads ? change.runId! : base.newestRunId };
    this.isOver = change?.resolved ?? this.isOver;
    this.lastAlertAt = this.now;
    if (opened === null) return;
    const comparedWith = opened.settings.comparedWithRun ?? null;
    const outward = opened.settings.outward !== false;
    const run = openedRun({ id: opened.runId, outward, comparedWith, grade }, this.now, ++this.order);
    this.runs.push(run);
    if (!leads) return;
    const isFirst = !wasKnown || (this.isNewOccurrence && this.leading?.verdict !== null);
    this.judged = isFirst ? [grade] : [...this.judged, grade];
    this.leading = run;
    this.decidedAt = null;
    this.answer = null;
  }

  /** A run that is under way ends with its verdict. Returns false if there is none. */
  decide(which: number, isDegraded: boolean): boolean {
    const waiting = this.runs.filter(({ verdict }) => verdict === null);
    const run = waiting[Math.floor(which * waiting.length)];
    if (run === undefined) return false;
    run.isDegraded = isDegraded;
    const leads = run === this.leading;
    run.verdict = this.isOver && leads ? 'dismiss' : verdictOn(run.grade);
    if (leads) this.decidedAt = this.now;
    const compared = this.runs.find(({ id }) => id === run.comparedWith);
    const isUnknown = compared?.isWithheld === true && !this.disabled.has('silenceOver');
    const earlier = isUnknown ? null : (compared?.verdict ?? null);
    const change =
      earlier === null ? null : earlier === run.verdict ? ('none' as const) : ('message' as const);
    const isOvertaken = !leads && this.lastDecision > run.order;
    if (leads) this.lastDecision = ++this.order;
    const { leaves, rule } = verdictTransition(
      { leads, isOvertaken, isOutward: run.outward, change },
      this.disabled,
    );
    run.isWithheld = leaves && this.withholds();
    run.isDelivered = (leaves && !run.isWithheld) || rule === 'unchanged';
    const says = run.verdict;
    const last = this.receivers.messages.at(-1);
    if (leaves && !run.isWithheld) {
      this.expect(!this.isSilenced, 'While a silence matches, no verdict of a run leaves.');
      this.expect(run.outward, "A repeat next to a person's answer is a proposal.");
      if (run.comparedWith !== null && !isUnknown && last !== undefined && last.by === 'run' && !last.begins)
        this.expect(last.says !== says, 'Nothing unchanged leaves.');
      if (run.comparedWith !== null && earlier === says) this.expect(false, 'Nothing unchanged leaves.');
      this.receivers.messages.push({
        id: run.id,
        says,
        by: 'run',
        begins: earlier === null,
        isMarked: false,
      });
    }
    return true;
  }

  /** A person answers the verdict of the case. */
  give(says: string, contradiction: string | null, overrides: boolean): void {
    const isCurrent = this.leading !== null && this.leading.verdict !== null;
    const agrees = this.leading?.verdict === says;
    const { isRefused, decides, leaves, isMarked } = answerTransition(
      {
        isCurrent,
        agrees,
        contradiction: agrees ? null : contradiction,
        overrides,
        isWithheld: this.leading?.isWithheld === true,
      },
      this.disabled,
    );
    if (!agrees && contradiction !== null && !overrides && isCurrent)
      this.expect(isRefused, 'An answer that contradicts the record is refused.');
    if (isRefused || !decides) return;
    this.answers += 1;
    this.answer = { says, runId: this.leading!.id, id: `answer ${this.answers}` };
    const leading = this.leading!;
    this.expect(
      leaves === (!agrees || leading.isWithheld === true),
      "A person's answer is the last message.",
    );
    const { id } = this.answer;
    const isSent = this.receivers.correct(leading.id, { id, answerId: agrees ? null : id, says, isMarked });
    if (isSent || !agrees || leading.isWithheld !== true) return;
    leading.isWithheld = false;
    leading.isDelivered = true;
    this.receivers.messages.push({ id: leading.id, says, by: 'person', begins: false, isMarked: false });
  }

  /** The person takes the answer back. The verdict of the run is in force again. */
  withdraw(): void {
    if (this.answer === null || this.leading?.verdict == null) return;
    this.answer = null;
    const says = this.leading.verdict;
    this.receivers.correct(this.leading!.id, {
      id: `restored ${this.answers}`,
      answerId: null,
      says,
      isMarked: false,
    });
  }

  /** A batch proposes a verdict for the case. */
  batch(says: string): void {
    if (this.leading === null || this.leading.verdict === null) return;
    const before = this.answer;
    const repeated = this.leading;
    const same = this.leading.isDegraded ? ('basis' as const) : ('none' as const);
    const change = this.leading.verdict === says ? same : ('message' as const);
    const plan = planProposal(
      {
        change,
        isCurrent: true,
        review: before === null ? null : 'answered',
        isDelivered: this.leading.outward,
        isWithheld: this.leading.isWithheld === true,
        corrections: this.receivers
          .correctionsOf(this.leading.id)
          .map(({ id, sent }) => ({ id, sent, isLeaving: false })),
      },
      this.disabled,
    );
    if (plan?.result !== 'applied') return;
    this.receivers.cancel(plan.cancel);
    const id = this.ids.id();
    const run: ModelRun = {
      ...this.leading,
      isOfBatch: true,
      id,
      openedAt: this.now,
      comparedWith: this.leading.id,
      order: ++this.order,
      verdict: says,
      isDegraded: false,
      isDelivered: plan.sends && !this.withholds(),
      isWithheld: plan.sends && this.withholds(),
    };
    this.runs.push(run);
    this.leading = run;
    this.decidedAt = this.now;
    this.expect(
      before === null,
      "A person's answer is the case's verdict until a person or an escalation changes it.",
    );
    this.answer = null;
    if (!plan.sends || run.isWithheld === true) return;
    this.expect(!this.isSilenced, 'While a silence matches, no verdict of a run leaves.');
    this.expect(change === 'message' || repeated.isWithheld === true, 'Nothing unchanged leaves.');
    this.receivers.messages.push({ id, says, by: 'run', begins: false, isMarked: false });
  }

  /** A silence begins that matches the alert of the case, or ends. */
  silence(isOn: boolean): void {
    this.isSilenced = isOn;
  }

  /** A case that fires after a silence is judged again, if its verdict was withheld. */
  sweep(): void {
    const { leading, isSilenced, isOver } = this;
    if (leading?.isWithheld !== true) return;
    const isAnswered = this.answer !== null;
    if (afterSilence({ isSilenced, leads: true, isOver, isAnswered }, this.disabled) !== 'judge') return;
    const { grade } = leading;
    const run = openedRun(
      { id: this.ids.id(), outward: true, comparedWith: null, grade },
      this.now,
      ++this.order,
    );
    this.runs.push(run);
    this.leading = run;
    this.decidedAt = null;
    if (this.known !== null) this.known = { ...this.known, newestRunId: run.id };
  }

  private withholds(): boolean {
    return isWithheld({ about: 'verdict', byPerson: false, isSilenced: this.isSilenced }, this.disabled);
  }

  /** The content of the case is erased, unless work on it is open. The next alert opens another case. */
  erase(): void {
    const isBlocked = this.runs.some(({ verdict }) => verdict === null) || !this.receivers.isSettled();
    if (this.known === null || isBlocked) return;
    this.erased += this.runsOfAlerts().length;
    this.runs.length = 0;
    this.known = null;
    this.recovery = null;
    this.leading = null;
    this.decidedAt = null;
    this.answer = null;
    this.receivers.forget();
    this.judged = [];
    this.isOver = false;
    this.lastDecision = -1;
  }

  // Without the run of a batch whose verdict was applied.
  private runsOfAlerts(): ModelRun[] {
    return this.runs.filter(({ isOfBatch }) => isOfBatch !== true);
  }

  /** What people and receivers see of the case. */
  observe(): ObservedCase {
    const { known, leading } = this;
    return {
      exists: known !== null,
      runs: this.erased + this.runsOfAlerts().length,
      verdict: leading?.verdict ?? null,
      answer: this.answer?.says ?? null,
      isOver: known !== null && this.isOver,
      messages: this.receivers.messages.map(({ says }) => says),
    };
  }

  /** Checks the sentences that hold at any time. */
  check(): void {
    const isSettled = this.receivers.isSettled();
    const ids = this.receivers.messages.map(({ id }) => id);
    this.expect(new Set(ids).size === ids.length, 'Nothing leaves twice.');
    const { answer, leading } = this;
    const last = this.receivers.messages.at(-1);
    if (answer !== null) {
      this.expect(
        leading?.id === answer.runId,
        "A person's answer is the case's verdict until a person or an escalation changes it.",
      );
      this.expect(!isSettled || last?.says === answer.says, "A person's answer is the last message.");
    } else if (
      isSettled &&
      leading !== null &&
      leading.verdict !== null &&
      leading.outward &&
      leading.isWithheld !== true
    )
      this.expect(last?.says === leading.verdict, 'The last message is the verdict of the case.');
    const isLeft = answer !== null || this.isOver || this.isSilenced || leading?.isWithheld !== true;
    this.expect(isLeft, 'What fires when a silence ends is judged again, and its verdict leaves.');
  }

  /** Ends every run. Nothing that was accepted may be left without a verdict. */
  finish(): void {
    for (let left = this.runs.length; left > 0 && this.decide(0, false); left -= 1) this.check();
    this.silence(false);
    this.sweep();
    for (let left = this.runs.length; left > 0 && this.decide(0, false); left -= 1) this.check();
    this.receivers.send(this.runs);
    this.expect(
      this.runs.every(({ verdict }) => verdict !== null),
      'Nothing accepted disappears: each run ends.',
    );
    this.check();
  }
}
