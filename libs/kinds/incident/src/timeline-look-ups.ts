import {
  type Brief,
  type Evidence,
  type FrozenTool,
  type JsonObject,
  type RunSettings,
  type ToolRequest,
} from '@casefile/contracts';
import { takes } from './expression.js';
import { incidentIn } from './runbook.js';

/** Most look-ups of one alert that list what happened around its start. */
const MOST_LOOK_UPS = 4;
/** Time before the start of an alert that is asked for. */
const BEFORE_MS = 6 * 3_600_000;
const WINDOW = ['start', 'end'];

/**
 * Returns look-ups of deployments, alerts and changes around the start of the alert, in the tools that data sources declare
 * for this. A tool with another argument that someone must choose is left to the model. The timeline of the result merges
 * their lines.
 */
export function timelineLookUps({
  brief,
  evidence,
  settings,
}: {
  brief: Brief;
  evidence: Evidence;
  settings: Pick<RunSettings, 'timeline'>;
}): ToolRequest[] {
  const { startsAt } = incidentIn(brief);
  const { timeline = [] } = settings;
  const window = windowOf(startsAt, brief.receivedAt);
  return (evidence.tools ?? [])
    .filter((tool) => timeline.includes(tool.name) && requiredOf(tool).every((name) => WINDOW.includes(name)))
    .slice(0, MOST_LOOK_UPS)
    .map((tool) => ({
      tool: tool.name,
      args: Object.fromEntries(Object.entries(window).filter(([name]) => takes(tool, name))),
    }));
}

const requiredOf = ({ parameters: { required } }: FrozenTool): string[] =>
  Array.isArray(required) ? required.map(String) : [];

/** From six hours before the start of the alert to its receipt. Without a start, the window of the source. */
function windowOf(startsAt: string | null, receivedAt: string): JsonObject {
  const [start, end] = [Date.parse(startsAt ?? ''), Date.parse(receivedAt)];
  if (Number.isNaN(start) || Number.isNaN(end)) return {};
  return {
    start: new Date(Math.min(start, end) - BEFORE_MS).toISOString(),
    end: new Date(end).toISOString(),
  };
}
