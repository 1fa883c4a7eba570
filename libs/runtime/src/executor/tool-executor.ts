import {
  parseInput,
  z,
  type CaseStore,
  type Clock,
  type Logger,
  type Nudge,
  type Queue,
  type Telemetry,
  type ToolJob,
  type ToolLease,
} from '@casefile/contracts';
import { ATTRIBUTES, METRICS, SPANS } from '@casefile/telemetry';
import { LeaseKeeper } from './lease-keeper.js';
import { forgivingNudge } from './nudger.js';
import { patiently } from './patiently.js';
import type { ToolRunner } from './stage-tools.js';

export interface ToolExecutorPorts {
  store: CaseStore;
  queue: Pick<Queue, 'nudge'>;
  runner: ToolRunner;
  clock: Clock;
  log: Logger;
  telemetry: Telemetry;
}

const toolJobSchema: z.ZodType<ToolJob> = z.object({ toolCallId: z.uuid() });

/** Works one tool call that is a job of its own; the last one of a step wakes its unit. */
export class ToolExecutor {
  private readonly keeper: LeaseKeeper<ToolLease>;
  private readonly nudge: (nudges: Nudge[]) => Promise<void>;

  constructor(
    private readonly ports: ToolExecutorPorts,
    private readonly leaseMs: number,
  ) {
    const renew = (leases: ToolLease[], ms: number) => ports.store.renewToolCalls(leases, ms);
    this.keeper = new LeaseKeeper(renew, leaseMs, ports.log);
    this.nudge = forgivingNudge(ports.queue, ports.log);
  }

  get active(): number {
    return this.keeper.size;
  }

  stop(): void {
    this.keeper.stopAll();
  }

  /** Handles one job of a tool's queue. @throws only what concerns the worker itself. */
  async handle(payload: unknown): Promise<void> {
    const { toolCallId } = parseInput(toolJobSchema, payload, 'job of a tool queue');
    const claim = await this.ports.store.claimToolCall(toolCallId, this.leaseMs);
    if (claim.kind === 'refused') return this.nudge(claim.nudges);
    const { call, lease, trace } = claim;
    const held = this.keeper.hold(lease);
    try {
      const attributes = {
        [ATTRIBUTES.operation]: SPANS.tool,
        [ATTRIBUTES.toolName]: call.tool,
        [ATTRIBUTES.runId]: call.runId,
      };
      const settled = await this.ports.telemetry.span(
        `${SPANS.tool} ${call.tool}`,
        attributes,
        () => this.ports.runner.run(call.tool, call.args, held.signal),
        { trace },
      );
      if (held.signal.aborted) return await this.giveUp(lease, held.signal);
      const attempts = call.attempts + settled.attempts;
      const { store, log } = this.ports;
      const { nudges } = await patiently(held.signal, log, () =>
        store.settleToolCall(lease, { ...settled, attempts }),
      );
      this.ports.telemetry.count(METRICS.toolCalls, { tool: call.tool, state: settled.state });
      await this.nudge(nudges);
    } finally {
      held.end();
    }
  }

  private async giveUp(lease: ToolLease, signal: AbortSignal): Promise<void> {
    const reason = signal.reason as { reasonCode?: string };
    if (reason.reasonCode !== 'stopping') return;
    await this.nudge(await this.ports.store.releaseToolCall(lease));
  }
}
