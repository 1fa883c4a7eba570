import { planCorrection } from '../reviews/review-acts.js';
import type { Message, ModelCorrection, ModelRun } from './case-model-parts.js';

/** What receivers of the model of a case got, and the verdicts of people on their way to them. */
export class ModelReceivers {
  readonly messages: Message[] = [];
  /** Corrections that were not cancelled. */
  private corrections: ModelCorrection[] = [];

  /** Sends the corrections that wait, except those that a later run overtook. */
  send(runs: readonly ModelRun[]): void {
    const orderOf = (id: string) => runs.find((run) => run.id === id)!.order;
    const isOvertaken = ({ runId }: ModelCorrection) =>
      runs.some(({ order, isDelivered }) => isDelivered && order > orderOf(runId));
    this.corrections = this.corrections.filter((one) => one.sent || !isOvertaken(one));
    for (const one of this.corrections.filter(({ sent }) => !sent)) {
      one.sent = true;
      const { id, says, isMarked } = one;
      this.messages.push({ id, says, by: 'person', begins: false, isMarked });
    }
  }

  /** Gives receivers the verdict in force, as the act of a person does. Returns whether a message is added. */
  correct(runId: string, one: Omit<ModelCorrection, 'runId' | 'sent'>): boolean {
    const plan = planCorrection(this.correctionsOf(runId), one.answerId);
    this.cancel(plan.cancel);
    if (plan.add) this.corrections.push({ ...one, runId, sent: false });
    return plan.add;
  }

  correctionsOf(runId: string | undefined): readonly ModelCorrection[] {
    return this.corrections.filter((one) => one.runId === runId);
  }

  cancel(ids: readonly string[]): void {
    this.corrections = this.corrections.filter(({ id }) => !ids.includes(id));
  }

  /** Returns whether no correction waits. */
  isSettled(): boolean {
    return this.corrections.every(({ sent }) => sent);
  }

  /** The case was erased. */
  forget(): void {
    this.corrections = [];
  }
}
