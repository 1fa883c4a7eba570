import {
  CasefileError,
  type FlowWrites,
  type ModelRequest,
  type ModelResponse,
  type ToolCallMore,
  type ToolClaimResult,
  type ToolModel,
} from '@casefile/contracts';
import type { StepModel } from '@casefile/pipeline';
import { METRICS } from '@casefile/telemetry';
import { Journal, type JournalPorts } from './journal.js';
import { withModelFeatures, type ModelFeatures } from './model-features.js';
import type { RunModels } from './model-plan.js';
import type { Intent, JournaledWork } from './stage-call.js';
import { retryWhileStoreIsDown } from '../leases/retry-while-store-is-down.js';
import { requestHash } from './interaction-record.js';

type ClaimedCall = Extract<ToolClaimResult, { kind: 'claimed' }>;

interface ToolJournalPorts extends Omit<JournalPorts, 'intend' | 'route'> {
  store: Pick<FlowWrites, 'interactions'>;
  models: RunModels;
  modelFeatures: ModelFeatures;
}

/**
 * Model access of one tool call: a stage's journal, written under the call's lease. A tool that is retried
 * gets its earlier answers and failures, so that no answer is paid for twice.
 */
export class ToolJournal implements ToolModel {
  private readonly journal: Journal;
  private readonly model: StepModel;
  private readonly answers = new Map<string, Promise<ModelResponse>>();
  private readonly over = new AbortController();

  constructor(
    private readonly claim: ClaimedCall,
    private readonly ports: ToolJournalPorts,
    signal: AbortSignal,
  ) {
    const { lease, settings } = claim;
    const { store, log } = ports;
    const intend = (intent: Intent) =>
      retryWhileStoreIsDown(signal, log, () => store.interactions.intendForTool({ ...intent, lease }));
    this.journal = new Journal(
      claimedCallWork(claim),
      { ...ports, intend, route: ports.models.routeOf(settings) },
      AbortSignal.any([signal, this.over.signal]),
    );
    this.model = withModelFeatures(ports.modelFeatures, this.journal, claim);
  }

  get available(): boolean {
    return this.journal.available;
  }

  get seed(): string {
    return this.journal.draw(null).seed;
  }

  call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse> {
    const key = `${step}/${requestHash(request)}`;
    const earlierAnswer = this.answers.get(key);
    if (earlierAnswer !== undefined) return earlierAnswer;
    const answer = this.model.call(step, request, deadlineAt);
    this.answers.set(key, answer);
    return answer;
  }

  /** Ends the tool: aborts its open model calls, and returns what is not recorded yet. */
  end(): ToolCallMore {
    this.over.abort(new CasefileError('aborted', 'the tool continued without the answer'));
    const { replayed, events } = this.journal;
    const { stage } = this.claim.call;
    if (replayed > 0) this.ports.telemetry.count(METRICS.stepsReplayed, { stage }, replayed);
    return { results: this.journal.takeResults(), events: [...events] };
  }
}

// If the model is unavailable, the stage continues without the tool. The tool therefore never waits for the
// model, regardless of the run's setting.
function claimedCallWork({ call, caseId, lane, settings, interactions }: ClaimedCall): JournaledWork {
  const { runId, unit, stage, round, id: toolCallId } = call;
  const key = { runId, unit, stage, round };
  return { key, toolCallId, caseId, lane, settings: { ...settings, onOutage: 'fallback' }, interactions };
}
