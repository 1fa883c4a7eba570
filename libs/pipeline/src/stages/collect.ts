import {
  done,
  type Brief,
  type Evidence,
  type EvidenceItem,
  type ToolCall,
  type ToolRequest,
} from '@casefile/contracts';
import { askTools } from '../ask-tools.js';
import { sharedEvidence } from '../reuse.js';
import type { PlanInput } from '../playbook.js';
import type { StagePorts } from '../stage-ports.js';
import { defineStage, type FlowPorts } from '../stage.js';

/** Everything that is known to be needed is asked at once; what follows from it, at once again. */
const TURN = 1;
const FOLLOWING_TURN = 2;
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
    const waitMs = longestWait(brief, ports);
    const requests = requestsOf(brief, previous, ports);
    const asked = await askTools(TURN, requests, ports, waitMs);
    if ('wait' in asked) return asked.wait;
    const items = itemsOf(asked.calls, before, brief);
    const frozen = frozenTools(previous.evidence, ports);
    const following = followingOf(brief, { items, ...frozen }, ports);
    const more =
      following.length === 0 ? { calls: [] } : await askTools(FOLLOWING_TURN, following, ports, waitMs);
    if ('wait' in more) return more.wait;
    const found = itemsOf(more.calls, items, brief);
    const followed = found.slice(items.length).map((item, i) => ({ ...item, args: following[i]!.args }));
    const evidence = { ...sifted([...items, ...followed], previous.evidence, brief, ports), ...frozen };
    return previous.evidence === undefined ? sharedEvidence(evidence, brief, ports) : done(evidence);
  },
});

function longestWait(brief: Brief, { playbook, run, clock }: FlowPorts): number {
  const until = playbook.endsBy?.(brief, run.settings) ?? null;
  const own = playbook.collectTimeoutMs;
  return until === null ? own : Math.max(1, Math.min(own, until - clock.now()));
}

// What was evidence before stays as it is, under its ids.
function sifted(
  items: EvidenceItem[],
  before: Evidence | undefined,
  brief: Brief,
  { playbook, run }: FlowPorts,
): Pick<Evidence, 'items' | 'leftOut'> {
  if (playbook.sift === undefined) return { items };
  const known = before?.items ?? [];
  const found = items.slice(known.length);
  const taken = playbook.sift({ brief, settings: run.settings, known, found });
  const leftOut = [...(before?.leftOut ?? []), ...taken.leftOut];
  return {
    items: [...known, ...taken.items.map((item, i) => ({ ...item, id: `E${known.length + i + 1}` }))],
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

// A run keeps the list that its first round was given.
function frozenTools(before: Evidence | undefined, { tools }: StagePorts): Omit<Evidence, 'items'> {
  if (before?.tools !== undefined) return { tools: before.tools, toolsOut: before.toolsOut ?? [] };
  const offers = tools.offers();
  if (offers.tools.length + offers.out.length === 0) return {};
  return { tools: offers.tools, toolsOut: offers.out };
}

function itemsOf(calls: readonly ToolCall[], before: readonly EvidenceItem[], brief: Brief): EvidenceItem[] {
  return [...before, ...calls.map((call, i) => itemOf(call, before.length + i + 1, brief))];
}

function followingOf(brief: Brief, evidence: Evidence, { playbook, run }: FlowPorts): ToolRequest[] {
  if (!brief.collect) return [];
  const asked = playbook.planFurther?.({ brief, evidence, settings: run.settings }) ?? [];
  return asked.filter((request) => run.settings.tools.includes(request.tool));
}

function requestsOf(brief: Brief, previous: PlanInput['previous'], ports: FlowPorts) {
  if (!brief.collect) return [];
  const { settings, unit } = ports.run;
  const { playbook } = ports;
  const planned = playbook.plan?.({ brief, previous, unit, settings }) ?? [];
  return [...fanOut(brief, ports), ...planned].filter((request) => settings.tools.includes(request.tool));
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

function itemOf(call: ToolCall, number: number, brief: Brief): EvidenceItem {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const { reasonCode: reason, message } = call;
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
