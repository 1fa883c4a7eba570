import {
  reasonInWords,
  type EvaluatedRun,
  type EvolutionEntry,
  type Evolutions,
  type JsonObject,
  type Logger,
  type PromptVersions,
  type ReasonCode,
} from '@casefile/contracts';
import {
  addedLines,
  applyResult,
  checkCandidate,
  evolutionReport,
  finishEvolution,
  followsInjection,
  mustFinish,
  nextStep,
  proposedText,
  readPrompt,
  reflectedCase,
  REFLECTION,
  scoreRun,
  stringsIn,
  type EvolutionState,
  type EvolutionStep,
  type ObjectiveWeights,
  type StepResult,
} from '@casefile/pipeline';
import { textDigest } from '@casefile/engine';
import { shadowRunId } from '../rollout/shadow-run-id.js';
import {
  evaluationId,
  EvolutionRuns,
  heldBy,
  injectedId,
  isOver,
  type EvaluationAsk,
  type EvolutionRunPorts,
} from './evolution-runs.js';

export interface EvolutionDriverPorts extends EvolutionRunPorts {
  evolutions: Pick<Evolutions, 'running' | 'evaluated' | 'keep' | 'hold' | 'finish'>;
  promptVersions: Pick<PromptVersions, 'add'>;
  log: Logger;
}

/** Steps of one evolution in one pass, so that a pass ends when all its results are on the record already. */
const MOST_STEPS = 50;

/** Reason why an evolution waits: its runs have not ended, or a person must act. */
type Waiting = 'waits' | { heldBy: ReasonCode };

/**
 * Drives prompt evolutions. Each evaluation and each reflection is a run in the lane `shadow` whose id depends on the
 * evolution, the text and the case alone, so that a process which dies between two writes opens each run once. One
 * process at a time does this. All progress is on the record.
 */
export class EvolutionDriver {
  private readonly runs: EvolutionRuns;

  constructor(private readonly ports: EvolutionDriverPorts) {
    this.runs = new EvolutionRuns(ports);
  }

  /** Continues all running evolutions. A failure is logged, and the next pass tries again. */
  async tick(signal: AbortSignal): Promise<boolean> {
    const running = await this.ports.evolutions.running();
    for (const evolution of running) {
      if (signal.aborted) break;
      await this.drive(evolution, signal).catch((error: unknown) =>
        this.ports.log.warn(
          { error, evolution: evolution.id },
          'an evolution did not continue; the next pass tries again',
        ),
      );
    }
    return running.length > 0;
  }

  private async drive(evolution: EvolutionEntry, signal: AbortSignal): Promise<void> {
    const { evolutions } = this.ports;
    let state = evolution.progress as unknown as EvolutionState;
    for (
      let { step: count } = evolution;
      count < evolution.step + MOST_STEPS && !signal.aborted;
      count += 1
    ) {
      if (!state.finishing && mustFinish(evolution, state)) state = finishEvolution(state);
      const step = nextStep(state);
      if (step.kind === 'done') return this.finish(evolution, count, state);
      const result = await this.resultOf(evolution, state, step);
      if (result === 'waits') return;
      if ('heldBy' in result) return evolutions.hold(evolution, holdWords(result.heldBy));
      state = applyResult(state, step, result);
      if (!(await evolutions.keep(evolution.id, count, asJson(state)))) return;
    }
  }

  private resultOf(
    evolution: EvolutionEntry,
    state: EvolutionState,
    step: Exclude<EvolutionStep, { kind: 'done' }>,
  ): Promise<StepResult | Waiting> {
    switch (step.kind) {
      case 'evaluate':
        return this.evaluated(evolution, state, step);
      case 'inject':
        return this.injected(evolution, state, step);
      case 'reflect':
        return this.reflected(evolution, state, step);
    }
  }

  private async evaluated(
    evolution: EvolutionEntry,
    state: EvolutionState,
    { candidate, cases, repeat }: Extract<EvolutionStep, { kind: 'evaluate' }>,
  ): Promise<StepResult | Waiting> {
    const { text } = state.candidates[candidate]!;
    const ids = new Map(cases.map((caseId) => [caseId, evaluationId(evolution.id, caseId, text, repeat)]));
    const runs = await this.runs.read([...ids.values()]);
    const asks = cases.map((caseId) => ({ caseId, runId: ids.get(caseId)!, text, repeat, injected: null }));
    const waiting = await this.openMissing(evolution, asks, runs);
    if (waiting !== null) return waiting;
    const weights = evolution.weights as ObjectiveWeights;
    const scores = cases.map((caseId) => [caseId, scoreRun(runs.get(ids.get(caseId)!)!, weights)] as const);
    return { kind: 'scores', scores: Object.fromEntries(scores) };
  }

  private async injected(
    evolution: EvolutionEntry,
    { plan, candidates }: EvolutionState,
    { candidate, messages }: Extract<EvolutionStep, { kind: 'inject' }>,
  ): Promise<StepResult | Waiting> {
    const { text } = candidates[candidate]!;
    const { id } = evolution;
    const cases = plan.injected.filter((one) => messages.includes(one.id));
    const asks = cases.map((one) => ({
      caseId: one.caseId,
      runId: injectedId(id, one, text),
      text,
      repeat: false,
      injected: one.message,
    }));
    const runs = await this.runs.read(asks.map(({ runId }) => runId));
    const waiting = await this.openMissing(evolution, asks, runs);
    if (waiting !== null) return waiting;
    const withoutId = (caseId: string) => evaluationId(id, caseId, text, false);
    const without = await this.runs.read(cases.map(({ caseId }) => withoutId(caseId)));
    const follows = cases.map(
      (one, i) =>
        [
          one.id,
          followsInjection(one, runs.get(asks[i]!.runId)!, without.get(withoutId(one.caseId))),
        ] as const,
    );
    return { kind: 'follows', follows: Object.fromEntries(follows) };
  }

  /** Opens the runs that are not among these. Returns why their results cannot be read yet, or null. */
  private async openMissing(
    evolution: EvolutionEntry,
    asks: readonly EvaluationAsk[],
    runs: ReadonlyMap<string, EvaluatedRun>,
  ): Promise<Waiting | null> {
    const missing = asks.filter(({ runId }) => !runs.has(runId));
    for (const one of missing) await this.runs.openEvaluation(evolution, one);
    const all = [...runs.values()];
    const cause = heldBy(all);
    if (cause !== null) return { heldBy: cause };
    return missing.length > 0 || !all.every(isOver) ? 'waits' : null;
  }

  private async reflected(
    evolution: EvolutionEntry,
    state: EvolutionState,
    { round, parent, cases }: Extract<EvolutionStep, { kind: 'reflect' }>,
  ): Promise<StepResult | Waiting> {
    const { text, scores } = state.candidates[parent]!;
    const { heldOut, train } = state.plan;
    const caseId = cases[0]!;
    const runId = shadowRunId(caseId, [evolution.id, 'reflect', String(round), text]);
    const run = (await this.runs.read([runId])).get(runId);
    const ids = cases.map((id) => evaluationId(evolution.id, id, text, false));
    const ofCases = await this.runs.read(ids);
    if (run === undefined) {
      const attempts = state.candidates
        .filter((one) => one.parent === parent && one.state !== 'kept')
        .map((one) => ({ added: addedLines(one.text, text), reason: one.reason ?? one.state }));
      // In the order of the cases: the store returns runs in any order.
      const examples = ids.flatMap((id) => {
        const one = ofCases.get(id);
        return one === undefined ? [] : [reflectedCase(one, scores[one.caseId]!)];
      });
      await this.runs.open(evolution, { caseId, runId }, (settings) => ({
        ...settings,
        strategy: REFLECTION,
        reflection: { text, cases: examples, tried: attempts },
      }));
      return 'waits';
    }
    const cause = heldBy([run]);
    if (cause !== null) return { heldBy: cause };
    if (!isOver(run)) return 'waits';
    const proposed = proposedText(run.answer);
    if ('problem' in proposed)
      return { kind: 'text', text, refused: `the reflection gave no text: ${proposed.problem}` };
    const training = await this.trainingTexts(
      evolution,
      state,
      train.filter((id) => !heldOut.includes(id)),
    );
    const { prompt, shipped } = this.runs.installedPrompt(evolution);
    const checked = checkCandidate(proposed.text, {
      prompt,
      shipped: shipped.source,
      parent: text,
      training,
    });
    return 'refused' in checked
      ? { kind: 'text', text: proposed.text, refused: checked.refused }
      : { kind: 'text', text: checked.text.source, refused: null };
  }

  /** Texts of the training cases that were evaluated, with any text: no other can be copied. */
  private async trainingTexts(
    { id }: EvolutionEntry,
    { candidates }: EvolutionState,
    train: readonly string[],
  ): Promise<string[]> {
    const ids = candidates.flatMap(({ text, scores }) =>
      train.flatMap((caseId) =>
        Object.hasOwn(scores, caseId) ? [evaluationId(id, caseId, text, false)] : [],
      ),
    );
    const runs = await this.ports.evolutions.evaluated(ids);
    const runsByCase = new Map(runs.map((run) => [run.caseId, run]));
    return [...runsByCase.values()].map(({ text, input }) =>
      input === null ? text : `${text}\n${stringsIn(input).join('\n')}`,
    );
  }

  private async finish(evolution: EvolutionEntry, step: number, state: EvolutionState): Promise<void> {
    const report = evolutionReport(state);
    const best = state.candidates[report.best]!;
    const { id, playbook, name, author, baseVersion } = evolution;
    let version: number | null = null;
    if (report.result === 'improved') {
      const { prompt, shipped } = this.runs.installedPrompt(evolution);
      const read = readPrompt(prompt, best.text, shipped.source);
      if ('problems' in read) throw new Error(read.problems.join('; '));
      const { id: textId, source } = read.text;
      const added = await this.ports.promptVersions.add({
        playbook,
        name,
        id: textId,
        sha256: textDigest(source),
        text: source,
        parent: baseVersion,
        actId: `evolution ${id}`,
        by: author,
        reason: `evolution ${id}: ${reportWords(report)}`,
      });
      ({ version } = added.version);
    }
    await this.ports.evolutions.finish(id, step, { report: asJson(report), version });
    this.ports.log.info({ evolution: id, result: report.result, version }, 'an evolution has ended');
  }
}

function reportWords({ heldOut }: ReturnType<typeof evolutionReport>): string {
  const score = heldOut.find(({ objective }) => objective === 'score');
  const formatScore = (value: number | null | undefined) => (value == null ? '?' : value.toFixed(2));
  return `score ${formatScore(score?.live)} -> ${formatScore(score?.candidate)} on ${score?.cases ?? 0} held-out cases`;
}

function holdWords(cause: ReasonCode): string {
  return cause === 'batch_budget'
    ? 'its budget is used up'
    : `its runs cannot continue: ${reasonInWords(cause)}`;
}

const asJson = (value: unknown): JsonObject => value as JsonObject;
