import { laneGroup, type LaneGroup, type Nudge } from '@casefile/contracts';

/** Queue of incoming alerts. */
export const ALERTS = 'alerts';
/** Queue of feedback from other systems. */
export const FEEDBACK = 'feedback';
/** Queue of outgoing verdicts. Other systems consume it; Casefile only adds. */
export const VERDICTS = 'verdicts';
/** Queue with only one job, whose absence shows that the store was emptied. */
export const SENTINEL = 'sentinel';

const BULK = '.bulk';
const TOOL = 'tool.';

/** Returns whether other systems add the jobs of a topic, each with one payload. */
export const isIntake = (topic: string): boolean => topic === ALERTS || topic === FEEDBACK;

/** Returns the topic of a stage's jobs: of those that add them, and of the handler. */
export const stageTopic = (stage: string): string => stage;

/** Returns the topic of the jobs of a tool's calls. */
export const toolTopic = (tool: string): string => TOOL + tool;

/** Returns whether a topic has the calls of a tool. */
export const isTool = (topic: string): boolean => topic.startsWith(TOOL);

/** Returns the queue of a topic for a group of lanes. */
export function queueName(topic: string, group: LaneGroup): string {
  return group === 'live' || isIntake(topic) ? topic : topic + BULK;
}

/** Returns the queues that feed a topic's handler. */
export function queuesOfTopic(topic: string): { queue: string; group: LaneGroup }[] {
  const live = { queue: topic, group: 'live' as const };
  return isIntake(topic) ? [live] : [live, { queue: queueName(topic, 'bulk'), group: 'bulk' }];
}

/** Returns the queue of a wake-up. */
export function queueOfNudge(nudge: Nudge): string {
  return queueName(
    nudge.kind === 'tool' ? toolTopic(nudge.tool) : stageTopic(nudge.stage),
    laneGroup(nudge.lane),
  );
}

/** Returns all visible queues: of stages, of tools, incoming and outgoing. */
export function queueNames(stages: readonly string[], tools: readonly string[]): string[] {
  const topics = [ALERTS, FEEDBACK, ...stages.map(stageTopic), ...tools.map(toolTopic)];
  return [...topics.flatMap((topic) => queuesOfTopic(topic).map(({ queue }) => queue)), VERDICTS];
}
