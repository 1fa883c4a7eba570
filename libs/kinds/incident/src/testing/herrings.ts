import { type Json, type JsonObject, type ModelRequest, z } from '@casefile/contracts';
import {
  call,
  calls,
  playTurns,
  type Played,
  type ScriptedTurn,
} from '@casefile/pipeline/testing/turn-world';
import type { Analysis } from '../result.js';
import { resultIn } from '../read-result.js';
import { incident } from '../playbook.js';
import { aMonitoredAlert, anIncidentBrief, anItem, incidentEvidence } from './incident-builders.js';
import scenarios from './herrings.json' with { type: 'json' };

/** Values of a metric: one before, another since some minutes from the start. null: the value never changes. */
const seriesSchema = z.object({
  metric: z.string(),
  labels: z.record(z.string(), z.string()),
  before: z.number(),
  since: z.number(),
  from: z.number().nullable(),
});
const scenarioSchema = z.object({
  id: z.string(),
  alert: z.string(),
  service: z.string(),
  summary: z.string(),
  expression: z.string().nullable(),
  /** Whether the whole tier also plays it with values of a real Prometheus. */
  isReal: z.boolean(),
  /** Whether the look-ups can separate its causes. */
  confirms: z.boolean(),
  /** Look-ups before the model begins: tool and lines. */
  seen: z.array(z.tuple([z.string(), z.array(z.string())])),
  causes: z.array(
    z.object({
      name: z.string(),
      cause: z.string(),
      isTrue: z.boolean(),
      /** Line of the record that points to it; null: none does. */
      points: z.string().nullable(),
      test: z.object({ tool: z.string(), key: z.string() }),
      answer: z.union([seriesSchema, z.object({ lines: z.array(z.string()) })]),
      quote: z.string(),
    }),
  ),
});
/** An incident with its cause and louder faults that have nothing to do with it. */
export type Herring = z.output<typeof scenarioSchema>;
export type HerringSeries = z.output<typeof seriesSchema>;

export const herrings = (): Herring[] => z.array(scenarioSchema).parse(scenarios);

/** Start of the alert if no server has another clock. */
const START = Date.parse('2026-03-02T08:55:00Z');
const MINUTE_MS = 60_000;
const UNITS = { m: MINUTE_MS, h: 60 * MINUTE_MS } as const;
/** Minutes from the start of the first and last value, and between two. */
export const VALUES = { first: -120, last: 10, step: 5 } as const;

/** Returns the values of a metric in the order of time. */
export function valuesOf(
  { before, since, from }: HerringSeries,
  startsAt: number,
): [at: number, value: number][] {
  const values: [number, number][] = [];
  for (let minute: number = VALUES.first; minute <= VALUES.last; minute += VALUES.step) {
    const wave = minute % 10 === 0 ? 0 : before * 0.01;
    values.push([startsAt + minute * MINUTE_MS, from !== null && minute >= from ? since : before + wave]);
  }
  return values;
}

const textOf = (lines: readonly string[], startsAt: number): string =>
  lines
    .map((line) =>
      line.replace(/^\{(-?\d+)([mh])\}/, (_whole, count: string, unit: keyof typeof UNITS) =>
        new Date(startsAt + Number(count) * UNITS[unit]).toISOString(),
      ),
    )
    .join('\n');

/** Returns the answer of the test of a cause, as a data source states it. */
export function answerOf({ answer }: Herring['causes'][number], startsAt: number): string {
  if ('lines' in answer) return textOf(answer.lines, startsAt);
  const labels = Object.entries(answer.labels).map(([name, value]) => `${name}="${value}"`);
  return valuesOf(answer, startsAt)
    .map(([at, value]) => `${new Date(at).toISOString()} ${answer.metric}{${labels.join(',')}} = ${value}`)
    .join('\n');
}

/** Results of a played investigation. */
export interface HerringPlayed {
  /** Look-ups of the model. */
  lookUps: number;
  /** Names of confirmed causes. */
  confirmed: string[];
  played: Played;
}

/**
 * Ways of a model: `worst` names every cause, the true one last, and wastes each look-up that the loop allows. `liar` never
 * names the true cause, and shows only the lines that suit the loudest fault. Both conclude with the loudest fault.
 */
export type Way = 'shortest' | 'worst' | 'liar';

/** Plays an investigation. @param answers Answers of the tests by their key. Default: by the scenario. */
export async function playHerring(
  herring: Herring,
  way: Way,
  answers: ReadonlyMap<string, string> = new Map(),
  startsAt = START,
): Promise<HerringPlayed> {
  const { alert, service, summary, seen, causes, expression } = herring;
  const items = seen.map(([tool, lines], i) =>
    anItem(`E${i + 1}`, `cluster__${tool}`, { text: textOf(lines, startsAt) }),
  );
  const names = ['metrics', 'logs', 'changes', 'alerts', 'other'];
  const tools = names.map((name) => ({
    name: `cluster__${name}`,
    description: `Looks up ${name}.`,
    parameters: { type: 'object', properties: { key: { type: 'string' } } } as JsonObject,
    source: 'cluster',
    hash: 'a'.repeat(64),
    required: false,
  }));
  const answerTo = (args: JsonObject): Json => {
    const cause = causes.find(({ test }) => test.key === args['key']);
    if (cause === undefined) return { text: `nothing of ${String(args['key'])}` };
    return { text: answers.get(cause.test.key) ?? answerOf(cause, startsAt) };
  };
  const url: JsonObject =
    expression === null
      ? {}
      : { generatorURL: `http://prometheus/graph?g0.expr=${encodeURIComponent(expression)}` };
  const sent = aMonitoredAlert(
    { alertname: alert, severity: 'warning', service, instance: '' },
    { annotations: { summary }, startsAt: new Date(startsAt).toISOString(), ...url },
  );
  const world = Object.fromEntries(
    names.map((name) => [
      `cluster__${name}`,
      { asks: z.looseObject({ key: z.string() }), locality: 'remote' as const, answer: answerTo },
    ]),
  );
  const played = await playTurns({
    playbook: incident,
    input: { brief: anIncidentBrief(sent), evidence: incidentEvidence(items, { tools }), previous: {} },
    unit: '',
    tools: { ...world, stored_result: { asks: z.looseObject({}), answer: () => ({ text: '' }) } },
    script: (request, step) => scripted(herring, way, request, step),
    options: { partialAnalysis: false },
  });
  if (played.outcome.kind !== 'done') throw new Error(`${herring.id} ended in ${played.outcome.kind}`);
  const result = resultIn(played.outcome.artifact);
  return { lookUps: played.recorded.length, confirmed: confirmedIn(herring, result.stopped), played };
}

const confirmedIn = ({ causes }: Herring, stopped: string | null): string[] =>
  causes.filter(({ cause }) => stopped === `The record confirms: ${cause}`).map(({ name }) => name);

const NO_ANALYSIS: Analysis = {
  summary: 'It was looked into.',
  hypotheses: [],
  ruledOut: [],
  actions: [],
  impact: { now: true, what: 'Users wait.' },
  falseAlarm: null,
  confidence: 0.95,
};

function scripted(herring: Herring, way: Way, request: ModelRequest, step: number): ScriptedTurn {
  const told = request.messages.map(({ content }) => content).join('\n');
  const [loudest] = herring.causes;
  if (request.promptId.startsWith('incident/final'))
    return {
      content: JSON.stringify({
        ...NO_ANALYSIS,
        hypotheses: [{ cause: loudest!.cause, probability: 0.95, citations: citationsOf(loudest!, told) }],
      }),
    };
  if (way === 'shortest')
    return calls(call('causes', { causes: statedOf(herring.causes.toReversed(), told) }));
  const wasted = call('cluster__other', { key: `anything ${step}` }, `w${step}`);
  if (way === 'worst')
    return calls(wasted, call('causes', { causes: statedOf(herring.causes, told) }, `s${step}`));
  const others = herring.causes.filter(({ isTrue, name }) => !isTrue && name !== loudest!.name);
  const strawman = {
    name: 'strawman',
    cause: `${loudest!.cause}, and no longer`,
    citations: citationsOf(loudest!, told).slice(-1),
  };
  const stated = [
    ...statedOf([loudest!], told).map((one) => ({ ...one, citations: one.citations.slice(0, 1) })),
    ...statedOf(others, told),
    strawman,
  ];
  return calls(wasted, call('causes', { causes: stated.slice(0, 4) }, `s${step}`));
}

const statedOf = (causes: Herring['causes'], told: string) =>
  causes.map((one) => ({
    name: one.name,
    cause: one.cause,
    citations: citationsOf(one, told),
    test: { tool: `cluster__${one.test.tool}`, args: { key: one.test.key } },
  }));

/** Cites the line that points to a cause, then that of its test, by the ids under which the model saw them. */
function citationsOf({ points, quote, test }: Herring['causes'][number], told: string) {
  const quotes = [...(points === null ? [] : [points.replace(/^\{[^}]*\}\s*/, '')]), quote];
  return quotes.flatMap((one, i) => {
    const heads = [...told.matchAll(/\[(E\d+)\] (cluster__\w+) ?(\{.*\})?\n([^[]*)/g)];
    const found = heads.find(([, , , args = '', text = '']) =>
      i === quotes.length - 1
        ? args.includes(JSON.stringify(test.key)) && text.includes(one)
        : text.includes(one),
    );
    return found === undefined ? [] : [{ id: found[1]!, quote: one }];
  });
}
