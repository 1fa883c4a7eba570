import {
  isObject,
  type Brief,
  type Evidence,
  type FrozenTool,
  type JsonObject,
  type ToolRequest,
} from '@casefile/contracts';
import { incidentIn } from './runbook.js';

/** Sources that are asked for the expression of one alert. */
const MOST_SOURCES = 3;
/** Time before the start of an alert that is asked for. */
const BEFORE_MS = 30 * 60_000;
/** Time of the whole window, and values in it. */
const MOST_WINDOW_MS = 24 * 3_600_000;
const VALUES = 60;

/**
 * Returns look-ups of the expression of the alert, one per data source that evaluates expressions: over the time around
 * the start of the alert if the source can, else now.
 */
export function expressionLookUps({ brief, evidence }: { brief: Brief; evidence: Evidence }): ToolRequest[] {
  const { expression, startsAt } = incidentIn(brief);
  if (expression === null) return [];
  const able = (evidence.tools ?? []).filter((tool) => takes(tool, 'expr'));
  const sources = [...new Set(able.map(({ source }) => source))].slice(0, MOST_SOURCES);
  return sources.flatMap((source): ToolRequest[] => {
    const own = able.filter((tool) => tool.source === source);
    const range = own.find((tool) => ['start', 'end', 'step'].every((name) => takes(tool, name)));
    if (range !== undefined)
      return [{ tool: range.name, args: { expr: expression, ...windowOf(startsAt, brief.receivedAt) } }];
    return own.slice(0, 1).map(({ name }) => ({ tool: name, args: { expr: expression } }));
  });
}

/** Returns whether a tool has an argument of this name. */
export function takes({ parameters: { properties } }: FrozenTool, name: string): boolean {
  return isObject(properties) && Object.hasOwn(properties, name);
}

/** From half an hour before the start of the alert to its receipt. Without a start, the window of the source. */
function windowOf(startsAt: string | null, receivedAt: string): JsonObject {
  const [start, end] = [Date.parse(startsAt ?? ''), Date.parse(receivedAt)];
  if (Number.isNaN(start) || Number.isNaN(end)) return {};
  const window = Math.min(end - Math.min(start, end) + BEFORE_MS, MOST_WINDOW_MS);
  const seconds = Math.ceil(window / 1_000 / (VALUES - 1));
  // The last value is that of the receipt.
  const from = end - seconds * 1_000 * (VALUES - 1);
  return { start: new Date(from).toISOString(), end: new Date(end).toISOString(), step: `${seconds}s` };
}
