import type { Lane, Nudge } from '@casefile/contracts';

/** Lanes share workers in two groups: what somebody waits for, and the rest. */
export type LaneGroup = 'live' | 'bulk';

/** Alerts that come in over the queue. */
export const ALERTS = 'alerts';
/** Verdicts on their way out. Its consumers are others: we only add. */
export const VERDICTS = 'verdicts';
/** Holds nothing but the job by which it is seen that the store was not emptied. */
export const SENTINEL = 'sentinel';

const BULK = '.bulk';
const TOOL = 'tool.';

export const laneGroupOf = (lane: Lane): LaneGroup => (lane === 'live' ? 'live' : 'bulk');

/** What a handler subscribes to for a tool's calls. A stage's topic is the stage's own name. */
export const toolTopic = (tool: string): string => TOOL + tool;

/** The queue of a topic for a group of lanes. */
export function queueName(topic: string, group: LaneGroup): string {
  return group === 'live' || topic === ALERTS ? topic : topic + BULK;
}

/** The queues that a topic's handler is fed from. */
export function queuesOfTopic(topic: string): { queue: string; group: LaneGroup }[] {
  const live = { queue: topic, group: 'live' as const };
  return topic === ALERTS ? [live] : [live, { queue: queueName(topic, 'bulk'), group: 'bulk' }];
}

/** The queue a wake-up goes to. */
export function queueOfNudge(nudge: Nudge): string {
  return queueName(nudge.kind === 'tool' ? toolTopic(nudge.tool) : nudge.stage, laneGroupOf(nudge.lane));
}

/** Every queue people see: of stages, of tools, in and out. */
export function queueNames(stages: readonly string[], tools: readonly string[]): string[] {
  const topics = [ALERTS, ...stages, ...tools.map(toolTopic)];
  return [...topics.flatMap((topic) => queuesOfTopic(topic).map(({ queue }) => queue)), VERDICTS];
}
