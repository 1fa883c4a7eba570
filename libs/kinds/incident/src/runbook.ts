import {
  isObject,
  z,
  type Brief,
  type Evidence,
  type EvidenceItem,
  type FrozenTool,
  type IncidentResult,
  type Json,
  type JsonObject,
  type LookUp,
  type ToolRequest,
} from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import { incidentSchema, type Incident } from './alert.js';

/** Wire name of the tool that finds the runbook of an alert. */
export const RUNBOOK_TOOL = 'runbook_find';

const foundSchema = z.object({
  title: z.string(),
  text: z.string(),
  source: z.string(),
  pin: z.string(),
  why: z.string(),
  ambiguous: z.array(z.string()),
});

/** The runbook of an investigation. */
export interface Runbook {
  item: EvidenceItem;
  text: string;
  used: NonNullable<IncidentResult['runbook']>;
}

/** The alert of a brief. */
export function incidentIn({ input }: Pick<Brief, 'input'>): Incident {
  return incidentSchema.parse(input);
}

/** Returns the request for the runbook of an alert. */
export function runbookRequest({ labels, annotations, name }: Incident): ToolRequest {
  const url = annotations['runbook_url'];
  return { tool: RUNBOOK_TOOL, args: { labels, alertType: name, ...(url === undefined ? {} : { url }) } };
}

/** The runbook among the evidence; null: none could be read. */
export function runbookIn({ items }: Pick<Evidence, 'items'>): Runbook | null {
  const item = items.find(({ toolName, success }) => toolName === RUNBOOK_TOOL && success);
  const read = foundSchema.safeParse(item?.result);
  if (item === undefined || !read.success) return null;
  const { text, ...used } = read.data;
  return { item, text, used: { id: item.id, ...used } };
}

/** Returns the reason why no runbook can be used. */
export function whyNoRunbook({ items }: Pick<Evidence, 'items'>): string {
  const item = items.find(({ toolName }) => toolName === RUNBOOK_TOOL);
  const why = isObject(item?.result) ? item.result['why'] : item?.message;
  return typeof why === 'string' ? inLine(why, 500) : 'It was not looked for.';
}

/** A mention of a tool in a runbook: `server__tool`, with or without its arguments as JSON. */
const MENTION = /`([\w-]{1,64}__[\w.-]{1,64})(?:[ \t]{1,8}(\{[^`\n]{0,2000}\}))?`/g;
/** Maximum number of look-ups that a runbook requests before the model is asked. */
const MOST_ASKED = 8;

/** Tools that the steps of a runbook name, each once, in their order. */
export function toolsNamedIn(text: string): string[] {
  return [...new Set([...text.matchAll(MENTION)].map(([, name]) => name as string))];
}

/**
 * Returns the look-ups that a runbook specifies completely. Either the runbook gives a tool with its
 * arguments, in which `$labels.<name>` stands for a label of the alert, or all required arguments of the tool
 * are labels of the alert. A runbook grants no access: tools that the run does not have are skipped.
 */
export function lookUpsAskedFor({ brief, evidence }: { brief: Brief; evidence: Evidence }): ToolRequest[] {
  const runbook = runbookIn(evidence);
  if (runbook === null) return [];
  const { labels } = incidentIn(brief);
  const tools = new Map((evidence.tools ?? []).map((tool) => [tool.name, tool]));
  const requests = [...runbook.text.matchAll(MENTION)].flatMap(([, name = '', json]): ToolRequest[] => {
    const tool = tools.get(name);
    const args =
      tool === undefined ? null : json === undefined ? byLabels(tool, labels) : filledJson(json, labels);
    return args === null ? [] : [{ tool: name, args }];
  });
  const each = new Map(requests.map((request) => [JSON.stringify(request), request]));
  return [...each.values()].slice(0, MOST_ASKED);
}

/**
 * Returns the required arguments of a tool from the labels of the same names; null: a label is missing, or an
 * argument is no text.
 */
function byLabels({ parameters }: FrozenTool, labels: Record<string, string>): JsonObject | null {
  const { required = [], properties = {} } = parameters;
  if (!Array.isArray(required) || !isObject(properties)) return null;
  const args: JsonObject = {};
  for (const name of required) {
    const property = typeof name === 'string' ? properties[name] : undefined;
    const value = typeof name === 'string' && Object.hasOwn(labels, name) ? labels[name] : undefined;
    if (value === undefined || !isObject(property) || property['type'] !== 'string') return null;
    args[name as string] = value;
  }
  return args;
}

function filledJson(json: string, labels: Record<string, string>): JsonObject | null {
  const parsed = parsedJson(json);
  if (!isObject(parsed)) return null;
  const missing: string[] = [];
  const fill = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(fill);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one as Json)]));
    if (typeof value !== 'string') return value;
    return value.replace(/\$labels\.([\w-]{1,100})/g, (whole, name: string) => {
      if (Object.hasOwn(labels, name)) return labels[name] as string;
      missing.push(name);
      return whole;
    });
  };
  const args = fill(parsed as JsonObject) as JsonObject;
  return missing.length === 0 ? args : null;
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Text in a runbook that is not JSON is an example for people, so it is ignored.
    return undefined;
  }
}

/** Most steps of a runbook that are read, and most steps at the beginning of a report. */
const MOST_STEPS = 50;
const STEPS_SHOWN = 3;

/**
 * Returns the first steps of a runbook that remain for people. A step is done if all its look-ups were
 * answered.
 */
export function stepsLeft(text: string, lookUps: readonly LookUp[]): string[] {
  const answered = new Set(lookUps.filter(({ gap }) => gap === null).map(({ tool }) => tool));
  const isDone = (step: string) => {
    const named = toolsNamedIn(step);
    return named.length > 0 && named.every((tool) => answered.has(tool));
  };
  return firstSteps(text, MOST_STEPS)
    .filter((step) => !isDone(step))
    .slice(0, STEPS_SHOWN);
}

/** The first steps of a runbook: lines of its lists, without their marks. */
export function firstSteps(text: string, most: number): string[] {
  const steps = text
    .split('\n')
    .flatMap((line) => /^\s{0,6}(?:\d{1,2}[.)]|[-*+])\s+(\S.{0,500})$/.exec(line)?.[1] ?? []);
  return steps.slice(0, most);
}
