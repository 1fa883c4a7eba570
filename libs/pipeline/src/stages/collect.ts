import {
  done,
  wait,
  type Brief,
  type EvidenceItem,
  type ToolCall,
  type ToolRequest,
} from '@casefile/contracts';
import type { PlanInput } from '../playbook.js';
import type { StagePorts } from '../stage-ports.js';
import { defineStage } from '../stage.js';

/** Journal steps of collect: local tools run inside the stage, remote ones as jobs of their own. */
const STEP = { local: 1, remote: 2 } as const;
/** Values of one type that a tool is asked about: a text that names hundreds must not cost hundreds of paid look-ups. */
const MAX_VALUES = 20;

/** Asks the playbook's tools, waits suspended for the remote ones, numbers what came back in the declared order. */
export const collect = defineStage({
  name: 'collect',
  app: 'evidence-collector',
  reads: ['brief'],
  readsPrevious: ['draft', 'evidence'],
  appends: 'evidence',
  async run({ brief, previous }, ports) {
    const before = previous.evidence?.items ?? brief.given;
    const requests = requestsOf(brief, previous, ports);
    const local = await ports.tools.inline(
      STEP.local,
      requests.filter((r) => isLocal(r, ports)),
    );
    const remote = requests.filter((r) => !isLocal(r, ports));
    const recorded = ports.tools.recorded(STEP.remote);
    const missing = recorded.length < remote.length || recorded.some((call) => !isSettled(call));
    if (remote.length > 0 && missing && !ports.waitOver) {
      return wait(STEP.remote, remote, ports.run.playbook.collectTimeoutMs);
    }
    const calls = inDeclaredOrder(requests, [...local, ...recorded]);
    return done({
      items: [...before, ...calls.map((call, i) => itemOf(call, before.length + i + 1, brief))],
    });
  },
});

function requestsOf(brief: Brief, previous: PlanInput['previous'], ports: StagePorts) {
  if (!brief.collect) return [];
  const { playbook, settings, unit } = ports.run;
  const planned = playbook.plan?.({ brief, previous, unit, settings }) ?? fanOut(brief, ports);
  return planned.filter((request) => playbook.tools.includes(request.tool));
}

// Each tool is asked about each entity of its types, tools in the order of the playbook.
function fanOut(brief: Brief, ports: StagePorts): ToolRequest[] {
  return ports.run.settings.tools.flatMap((tool) =>
    ports.tools.entityTypes(tool).flatMap((entityType) =>
      (brief.entities[entityType] ?? []).slice(0, MAX_VALUES).map((entityValue) => ({
        tool,
        args: { entityType, entityValue },
      })),
    ),
  );
}

function isLocal(request: ToolRequest, ports: StagePorts): boolean {
  return ports.tools.locality(request.tool) === 'local';
}

function isSettled(call: ToolCall): boolean {
  return call.state === 'succeeded' || call.state === 'failed';
}

function inDeclaredOrder(requests: ToolRequest[], calls: ToolCall[]): ToolCall[] {
  const keyOf = (tool: string, args: object) => `${tool}\n${JSON.stringify(Object.entries(args).sort())}`;
  const order = new Map(requests.map((request, i) => [keyOf(request.tool, request.args), i]));
  const place = (call: ToolCall) => order.get(keyOf(call.tool, call.args)) ?? Number.MAX_SAFE_INTEGER;
  return [...calls].sort((a, b) => place(a) - place(b));
}

// A call that is still open when the wait is over is a gap, like any other failure.
function itemOf(call: ToolCall, number: number, brief: Brief): EvidenceItem {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const late = !isSettled(call);
  const reason = late ? 'tool_timeout' : call.reasonCode;
  const message = late ? 'no answer before the end of the collection' : call.message;
  return {
    id: `E${number}`,
    toolName: call.tool,
    entityType: text(call.args['entityType']),
    entityValue: text(call.args['entityValue']),
    result: call.result,
    success: call.state === 'succeeded',
    ...(reason === null ? {} : { reason }),
    ...(message === null ? {} : { message }),
    source: call.source ?? call.tool,
    at: call.settledAt ?? brief.receivedAt,
    durationMs: call.durationMs ?? 0,
  };
}
