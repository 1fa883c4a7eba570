import {
  afterSilence,
  answerTransition,
  ERASABLE_CLASSES,
  isAnswered,
  verdictTransition,
  type Lease,
  moves,
  type NewReviewAct,
} from '@casefile/contracts';
import { alertRequest, anAcceptRequest, type CaseStep, type ObservedCase } from '@casefile/contracts/testing';
import { batchBench } from './batch-bench.js';
import { aVerdict } from './store-bench.js';
import type { TestRecord } from './test-record.js';

const KINDS = ['scam-verdict'];
/** Everything that is due by this time is sent. */
const ALWAYS = Date.parse('2100-01-01T00:00:00Z');

interface OpenRun {
  id: string;
  severity: string;
}

interface StoredRun {
  id: string;
  lane: string;
  status: string;
  says: string | null;
  compared_with: string | null;
  is_outward: boolean;
}

/**
 * A case in Postgres that takes the same steps as the model of a case, by the writes that intake, stages, people and
 * batches use.
 */
export class StoredCase {
  private caseId: string | null = null;
  /** Severity that each run judges, in the order of their opening. */
  private readonly opened: OpenRun[] = [];
  private readonly messages: string[] = [];
  private answers: string[] = [];
  /** The silence in force; null: none. */
  private silenceId: string | null = null;
  /** Runs of alerts of erased cases. */
  private erased = 0;

  constructor(
    private readonly at: TestRecord,
    private readonly fingerprint: string,
  ) {}

  async play(step: CaseStep): Promise<void> {
    if (step.act === 'alert') await this.alert(step);
    if (step.act === 'decide') await this.decide(step);
    if (step.act === 'give') await this.give(step);
    if (step.act === 'withdraw') await this.withdraw();
    if (step.act === 'batch') await this.batch(step.says);
    if (step.act === 'erase') await this.erase();
    if (step.act === 'silence') await this.silence();
    if (step.act === 'unsilence') await this.unsilence();
    if (step.act === 'wait') {
      await this.send();
      await this.at.passTime(step.ms);
    }
    await this.sweep();
  }

  /** Ends every run and sends every correction. */
  async finish(): Promise<void> {
    for (let left = this.opened.length; left > 0; left -= 1)
      await this.decide({ which: 0, isDegraded: false });
    await this.unsilence();
    await this.sweep();
    await this.decide({ which: 0, isDegraded: false });
    await this.send();
  }

  async observe(): Promise<ObservedCase> {
    const runs = await this.runs();
    const [row] = await this.rows<{ leading: string; resolved: boolean }>(
      'select leading_run_id as leading, resolved_at is not null as resolved from cases where id = $1',
      [this.caseId],
    );
    const leading = runs.find(({ id }) => id === row?.leading);
    const review = this.caseId === null ? null : await this.at.store.reviews.get(this.caseId, Date.now());
    return {
      exists: row !== undefined,
      runs: this.erased + runs.filter(({ lane }) => lane === 'live').length,
      verdict: leading?.says ?? null,
      answer: isAnswered(review?.state ?? null) ? saysOf(review!.standing!) : null,
      isOver: row?.resolved ?? false,
      messages: [...this.messages],
    };
  }

  private async alert(step: Extract<CaseStep, { act: 'alert' }>): Promise<void> {
    const { store, bench } = this.at;
    const request = alertRequest(bench.ids, step, { fingerprint: this.fingerprint });
    const before = (await this.runs()).map(({ id }) => id);
    const result = await store.runs.accept(request);
    if (result.kind === 'accepted') this.caseId = result.caseId;
    const [opened] = (await this.runs()).filter(({ id }) => !before.includes(id));
    if (opened === undefined) return;
    this.opened.push({ id: opened.id, severity: step.grade.severity });
    // The answer of a person counts until a run that leads begins.
    if (opened.is_outward) this.answers = [];
  }

  private async decide({ which, isDegraded }: { which: number; isDegraded: boolean }): Promise<void> {
    const runs = await this.runs();
    const waiting = this.opened.filter(({ id }) => runs.find((run) => run.id === id)?.status === 'due');
    const chosen = waiting[Math.floor(which * waiting.length)];
    const run = runs.find(({ id }) => id === chosen?.id);
    if (chosen === undefined || run === undefined) return;
    const [row] = await this.rows<{ leads: boolean; resolved: boolean }>(
      'select leading_run_id = $2 as leads, resolved_at is not null as resolved from cases where id = $1',
      [this.caseId, run.id],
    );
    const says =
      row?.resolved && row.leads
        ? 'dismiss'
        : chosen.severity === 'critical'
          ? 'act critical'
          : `review ${chosen.severity}`;
    await this.commit(run, says, isDegraded);
    await this.deliver();
  }

  // Its matchers are not compared here.
  private async silence(): Promise<void> {
    if (this.silenceId !== null) return;
    this.silenceId = this.at.bench.ids.id();
    const times = { startsAt: '2020-01-01T00:00:00Z', endsAt: '2100-01-01T00:00:00Z' };
    const act = { by: 'ann', reason: 'a test', actId: this.silenceId };
    const silence = { id: this.silenceId, matchers: [], ...times, reason: 'a test', author: 'ann' };
    await this.at.store.silences.create(silence, act);
  }

  private async unsilence(): Promise<void> {
    if (this.silenceId === null) return;
    const act = { by: 'ann', reason: 'a test', actId: this.at.bench.ids.id() };
    await this.at.store.silences.end(this.silenceId, act, Date.now() - 1);
    this.silenceId = null;
  }

  // As the driver of silences does.
  private async sweep(): Promise<void> {
    const { silences, runs } = this.at.store;
    const verdicts = (await silences.over(Date.now(), 1_000, KINDS)).filter(
      ({ caseId }) => caseId === this.caseId,
    );
    for (const { caseId, runId: over, ...state } of verdicts) {
      if (afterSilence({ ...state, isSilenced: false }) !== 'judge') continue;
      const runId = this.at.bench.ids.id();
      const { settings, firstStage, lane } = anAcceptRequest(this.at.bench.ids);
      await runs.open({ caseId, runId, over, lane, settings, firstStage, onlyIfFiring: true });
      const severity = this.opened.find(({ id }) => id === over)?.severity ?? '';
      this.opened.push({ id: runId, severity });
    }
    await silences.settle(
      verdicts.map(({ runId }) => runId),
      Date.now(),
    );
  }

  // As the executor does: a verdict on which receivers would act as before is recorded and not sent again.
  private async commit(run: StoredRun, says: string, isDegraded: boolean): Promise<void> {
    const { store, bench } = this.at;
    const { lease } = await bench.claim(run.id, { stage: 'triage' });
    const earlier = run.compared_with === null ? null : await store.deliveries.of(run.compared_with);
    const isUnknown = run.compared_with !== null && (await store.deliveries.isWithheld(run.compared_with));
    const change =
      earlier === null || isUnknown ? null : saysOf(earlier.verdict) === says ? 'none' : 'message';
    const { leaves } = verdictTransition({ leads: true, isOvertaken: false, isOutward: true, change });
    const body = { ...aVerdict(says), degraded: isDegraded, degradedBy: isDegraded ? ['model_out'] : [] };
    const verdict = {
      artifact: { name: 'verdict' as const, body },
      deliveryId: run.is_outward ? bench.ids.id() : null,
    };
    await bench.commit(lease, (held: Lease) => {
      const move = moves.decideRun(held, verdict);
      return leaves || !run.is_outward ? move : { ...move, isUnchanged: true };
    });
  }

  private async give({ says, contradiction, overrides }: Extract<CaseStep, { act: 'give' }>): Promise<void> {
    const leading = await this.decidedLeading();
    if (leading === null) return;
    const agrees = leading.says === says;
    const correction = { isCurrent: true, agrees, contradiction: agrees ? null : contradiction, overrides };
    if (answerTransition(correction).isRefused) return;
    const actId = await this.act({
      act: agrees ? 'agree' : 'correct',
      outcome: { action: says },
      verdict: agrees ? null : (aVerdict(says) as never),
    });
    this.answers.push(actId);
    await this.take();
  }

  private async withdraw(): Promise<void> {
    if ((await this.decidedLeading()) === null) return;
    for (const { length } = this.answers; this.answers.length > 0 && length > 0; this.answers.pop())
      await this.act({ act: 'undo', outcome: null, verdict: null });
  }

  private async act(over: Pick<NewReviewAct, 'act' | 'outcome' | 'verdict'>): Promise<string> {
    const { store, bench } = this.at;
    const actId = bench.ids.id();
    await store.reviews.act({
      actId,
      caseId: this.caseId!,
      by: 'ann',
      note: null,
      part: null,
      assignee: null,
      until: null,
      bulk: false,
      event: null,
      ids: { label: bench.ids.id(), delivery: bench.ids.id() },
      now: Date.now(),
      sendAt: Date.now(),
      ...over,
    });
    return actId;
  }

  private async batch(says: string): Promise<void> {
    const leading = await this.decidedLeading();
    if (leading === null) return;
    const { aBatch, judge, apply } = batchBench(() => this.at);
    const { batches } = this.at.store;
    const id = await aBatch({ caseIds: [this.caseId!] });
    await judge(id, [says]);
    await batches.act(id, 'apply');
    await apply(id, 10);
    // A run that is opened after a silence judges what the repeated run judged.
    const severity = this.opened.find((run) => run.id === leading.id)?.severity ?? '';
    const after = await this.decidedLeading();
    if (after !== null && after.id !== leading.id) this.opened.push({ id: after.id, severity });
    await this.deliver();
  }

  // A blocked request is tried again later. Here only an erasure that takes place at once counts.
  private async erase(): Promise<void> {
    const { store, bench } = this.at;
    if (this.caseId === null) return;
    const id = bench.ids.id();
    const request = { subject: null, by: 'ann', reason: 'a test', classes: [...ERASABLE_CLASSES] };
    await store.erasures.request({ id, caseIds: [this.caseId], ...request });
    await store.erasures.eraseNext(1_000, async () => undefined);
    if ((await store.erasures.get(id))?.erased !== 1) return;
    this.erased += (await this.runs()).filter(({ lane }) => lane === 'live').length;
    this.caseId = null;
    this.opened.length = 0;
    this.answers = [];
  }

  private async decidedLeading(): Promise<StoredRun | null> {
    const [row] = await this.rows<{ leading: string }>(
      'select leading_run_id as leading from cases where id = $1',
      [this.caseId],
    );
    const leading = (await this.runs()).find(({ id }) => id === row?.leading);
    return leading === undefined || leading.says === null ? null : leading;
  }

  private async deliver(): Promise<void> {
    const { store, bench } = this.at;
    const { deliveries, destinations, silences } = store;
    const pending = (await deliveries.pending(1_000, 0, KINDS)).filter(
      ({ caseId }) => caseId === this.caseId,
    );
    await deliveries.markDelivered(pending.map(({ deliveryId }) => deliveryId));
    const { silenceId } = this;
    if (silenceId !== null)
      await silences.withhold(
        pending.map((one) => ({ ...one, silenceId, isCritical: false })),
        Date.now(),
      );
    const added = pending.map(({ deliveryId: key, caseId, runId }) => ({
      id: bench.ids.id(),
      destination: 'receiver',
      kind: 'verdict' as const,
      key,
      caseId,
      runId,
      openUntil: null,
      ...(silenceId === null ? {} : { silenceId }),
    }));
    await destinations.add(added, Date.now());
    await this.take();
  }

  /** The receiver takes what is due. */
  private async take(): Promise<void> {
    const { deliveries, destinations } = this.at.store;
    for (const { runId, key, id } of await destinations.take('receiver', Date.now(), Date.now(), 100)) {
      const sent = await deliveries.of(runId!, key);
      this.messages.push(saysOf(sent!.verdict));
      const attempt = {
        at: '2026-01-05T10:00:00Z',
        status: 200,
        latencyMs: 1,
        problem: null,
        response: null,
      };
      const end = {
        deliveryId: id,
        destination: 'receiver',
        attempt,
        message: null,
        nextAt: null,
        countsAsFailure: false,
      };
      await destinations.settle({ ...end, pauseWhy: null }, Date.now(), { forMs: 1, deliveries: 1 });
    }
  }

  private async send(): Promise<void> {
    const { reviews } = this.at.store;
    const taken = await reviews.takeCorrections(ALWAYS, 1_000, KINDS);
    this.messages.push(...taken.map(({ verdict }) => saysOf(verdict)));
    await reviews.markCorrectionsSent(
      taken.map(({ deliveryId }) => deliveryId),
      Date.now(),
    );
  }

  private runs(): Promise<StoredRun[]> {
    return this.rows<StoredRun>(
      `select r.id, r.lane, r.status, v.body -> 'outcome' ->> 'action' as says, r.settings ->> 'comparedWithRun' as compared_with,
         coalesce((r.settings ->> 'outward')::boolean, true) as is_outward
       from runs r left join artifacts v on v.run_id = r.id and v.artifact = 'verdict' where r.case_id = $1`,
      [this.caseId],
    );
  }

  private rows<T>(text: string, params: unknown[]): Promise<T[]> {
    return this.at.store.database.rows(text, params) as Promise<T[]>;
  }
}

function saysOf(verdict: object): string {
  return (verdict as { outcome: { action: string } }).outcome.action;
}
