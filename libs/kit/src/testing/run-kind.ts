import {
  alertInputSchema,
  ARTIFACTS,
  CasefileError,
  InvalidInput,
  parseInput,
  selectArtifacts,
  toStored,
  type Alert,
  type AlertInput,
  type AppendedArtifact,
  type Done,
  type JsonObject,
  type Report,
  type Revise,
  type Search,
  type Verdict,
  type VerdictEffect,
} from '@casefile/contracts';
import { flow, handOn, type Stage } from '@casefile/pipeline';
import type { Kind } from '../kind.js';
import { Answers } from './answers.js';
import type { RunRecord, Script } from './script.js';
import { ScriptedPorts } from './scripted-ports.js';

/** Result of a run. */
export interface KindRun {
  verdict: Verdict;
  report: Report;
  /** Effects of the verdict, such as a session that it opens. */
  effects: VerdictEffect[];
  /** Artifacts of all units and rounds, in the order in which the stages appended them. */
  artifacts: readonly AppendedArtifact[];
  record: RunRecord;
}

/** A run that was stopped, or that waits for its provider. It has no verdict. */
export class RunNotDecided extends CasefileError {}

/**
 * Runs an alert through the stages of Casefile in this process, with scripted answers. The stages and the kind are the
 * real ones. There is no database, queue, lease, budget or retry, and time stands still. A question to a person has the
 * answer that it has if no person answers.
 * @throws InvalidInput if the kind refuses the alert or the options; RunNotDecided; CasefileError if a stage fails.
 */
export async function runKind(kind: Kind, alert: AlertInput, script: Script = {}): Promise<KindRun> {
  return new ScriptedRun(kind, alert, script, new Answers(null)).run();
}

/**
 * Repeats a run from the answers that it recorded.
 * @throws CasefileError `evidence_miss` if the kind makes a call that the run did not make.
 */
export async function replayKind(kind: Kind, { record }: KindRun): Promise<KindRun> {
  const { alert, script, answers } = record;
  return new ScriptedRun(kind, alert, script, new Answers(answers)).run();
}

class ScriptedRun {
  private readonly appended: AppendedArtifact[] = [];
  private readonly ports: ScriptedPorts;
  private readonly alert: Alert;
  private units: string[] = [];

  constructor(
    { playbook }: Kind,
    private readonly input: AlertInput,
    private readonly script: Script,
    private readonly answers: Answers,
  ) {
    const { playbook: _, ...sent } = parseInput(alertInputSchema, input, 'alert');
    const problems = playbook.intake.problems(sent);
    if (problems.length > 0) throw new InvalidInput(problems, 'alert');
    this.ports = new ScriptedPorts(playbook, script, answers);
    this.alert = { ...sent, id: 'alert-1', playbook: playbook.name, receivedAt: this.ports.now() };
  }

  async run(): Promise<KindRun> {
    const { effects = [], artifact } = await this.unit('', flow[0]!, 1);
    const report = this.appended.findLast((one) => one.artifact === 'report')?.body as unknown as Report;
    const record = { alert: this.input, script: this.script, answers: this.answers.recorded };
    return { verdict: artifact as Verdict, report, effects, artifacts: this.appended, record };
  }

  /** Executes a unit, and the units that it opens, from this stage on. Returns the outcome of its last stage. */
  private async unit(unit: string, stage: Stage, round: number): Promise<Done<unknown>> {
    const outcome = await this.stage(stage, unit, round);
    const { maxRounds } = this.ports.settings;
    const onward = handOn(flow, stage, { unit, round, maxRounds }, outcome);
    if (onward === null || onward.next === null) return outcome as Done<unknown>;
    const next = stageNamed(onward.next.stage);
    if (onward.units.length === 0) return this.unit(unit, next, onward.next.round);
    this.units = onward.units;
    for (const opened of onward.units) await this.unit(opened, next, onward.next.round);
    return this.unit(unit, stageNamed(onward.joinStage!), onward.next.round);
  }

  private async stage(stage: Stage, unit: string, round: number): Promise<Finished> {
    const outcome = await this.finished(stage, unit, round);
    const body = ARTIFACTS[stage.appends].safeParse(outcome.artifact);
    if (!body.success)
      throw new CasefileError(
        'bad_artifact',
        `stage ${stage.name} appended a wrong ${stage.appends}: ${body.error.message}`,
      );
    const artifact = toStored(body.data);
    this.appended.push({ unit, artifact: stage.appends, round, body: artifact as unknown as JsonObject });
    return { ...outcome, artifact };
  }

  /** Renders a stage, again after each wait for tools. */
  private async finished(stage: Stage, unit: string, round: number): Promise<Finished> {
    const place = { unit, stage: stage.name, round };
    const selected = selectArtifacts({ ...stage, unit, round }, this.appended, this.units);
    const input = { ...selected, alert: stage.readsAlert ? this.alert : null };
    const outcome = await stage.run(input, this.ports.of(place));
    if (outcome.kind === 'stop')
      throw new RunNotDecided(
        'unexpected',
        `the run was stopped (${outcome.reasonCode}): ${outcome.message}`,
      );
    if (outcome.kind === 'later')
      throw new RunNotDecided('unexpected', `the run waits for its provider: ${outcome.reasonCode}`);
    if (outcome.kind !== 'wait') return outcome;
    await this.ports.answer(outcome, place);
    return this.finished(stage, unit, round);
  }
}

type Finished = Done<unknown> | Revise<unknown> | Search<unknown>;

function stageNamed(name: string): Stage {
  return flow.find((stage) => stage.name === name)!;
}
