import type { FrozenTool } from '@casefile/contracts';
import { expressionLookUps } from './expression.js';
import { expressionIn } from './sent/expression-in.js';
import { aMonitoredAlert, anIncidentBrief, incidentEvidence } from './testing/incident-builders.js';

const tool = (source: string, request: string, ...names: string[]): FrozenTool => ({
  name: `${source}__${request}`,
  source,
  description: 'x',
  parameters: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  },
  hash: 'h',
  required: false,
});
const QUERY = tool('eu', 'query', 'expr', 'at');
const RANGE = tool('eu', 'range', 'expr', 'start', 'end', 'step');
const OTHER = tool('us', 'query', 'expr');
const LOGS = tool('loki', 'logs', 'query', 'start', 'end');

const GRAPH = 'http://prometheus.example/graph?g0.expr=rate%28errors%5B5m%5D%29+%3E+5&g0.tab=1';
const asked = (more: object, ...tools: FrozenTool[]) =>
  expressionLookUps({
    brief: anIncidentBrief(aMonitoredAlert({}, more as never)),
    evidence: { ...incidentEvidence([]), tools },
  });

describe('T-61 the expression of an alert', () => {
  it.each([
    [GRAPH, 'rate(errors[5m]) > 5'],
    ['http://vm.example/vmui/?expr=up', 'up'],
    ['http://prometheus.example/graph', null],
    ['no address', null],
    [`http://prometheus.example/graph?g0.expr=${'x'.repeat(2_001)}`, null],
    [undefined, null],
  ])('of the address %s is %s', (url, expression) => {
    expect(expressionIn(url)).toBe(expression);
  });

  it('is asked of each source that evaluates expressions, around the start of the alert if the source can', () => {
    expect(asked({ generatorURL: GRAPH }, LOGS, QUERY, RANGE, OTHER)).toEqual([
      {
        tool: 'eu__range',
        args: {
          expr: 'rate(errors[5m]) > 5',
          start: '2026-03-02T08:24:36.000Z',
          end: '2026-03-02T09:00:00.000Z',
          step: '36s',
        },
      },
      { tool: 'us__query', args: { expr: 'rate(errors[5m]) > 5' } },
    ]);
    expect(asked({}, RANGE)).toEqual([]);
    expect(asked({ generatorURL: GRAPH }, LOGS)).toEqual([]);
  });

  it('is asked over a day at most, and over the window of the source if no start is stated', () => {
    const [old] = asked({ generatorURL: GRAPH, startsAt: '2026-01-01T00:00:00Z' }, RANGE);
    expect(old?.args).toMatchObject({ start: '2026-03-01T08:59:25.000Z', step: '1465s' });
    const [later] = asked({ generatorURL: GRAPH, startsAt: '2027-01-01T00:00:00Z' }, RANGE);
    expect(later?.args).toMatchObject({ start: '2026-03-02T08:29:31.000Z', end: '2026-03-02T09:00:00.000Z' });
  });
});
