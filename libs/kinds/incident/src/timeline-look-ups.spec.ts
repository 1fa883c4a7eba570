import type { FrozenTool } from '@casefile/contracts';
import { lookUpsOf } from './look-ups.js';
import { incidentIn } from './runbook.js';
import { incidentResultTimeline } from './timeline.js';
import { timelineLookUps } from './timeline-look-ups.js';
import { aMonitoredAlert, anIncidentBrief, anItem, incidentEvidence } from './testing/incident-builders.js';

const tool = (name: string, arguments_: readonly string[], required: readonly string[] = []): FrozenTool => ({
  name,
  source: name.split('__')[0]!,
  description: 'x',
  parameters: {
    type: 'object',
    properties: Object.fromEntries(arguments_.map((one) => [one, { type: 'string' }])),
    required: [...required],
  },
  hash: 'h',
  required: false,
});
const RELEASES = tool('hub__releases', []);
const EVENTS = tool('grafana__annotations', ['start', 'end', 'tag']);
const COMMITS = tool('hub__commits', ['repository', 'start'], ['repository']);
const LOGS = tool('loki__logs', ['query', 'start', 'end'], ['query']);
const TIMELINE = ['hub__releases', 'grafana__annotations', 'hub__commits'];

const planned = (startsAt: string, ...tools: FrozenTool[]) =>
  timelineLookUps({
    brief: anIncidentBrief(aMonitoredAlert({}, { startsAt })),
    evidence: { ...incidentEvidence([]), tools },
    settings: { timeline: TIMELINE },
  });

describe('T-61 the timeline of an incident', () => {
  it('is asked of each source that declares it and needs no other argument, around the start of the alert', () => {
    expect(planned('2026-03-02T08:55:00Z', RELEASES, EVENTS, COMMITS, LOGS)).toEqual([
      { tool: 'hub__releases', args: {} },
      {
        tool: 'grafana__annotations',
        args: { start: '2026-03-02T02:55:00.000Z', end: '2026-03-02T09:00:00.000Z' },
      },
    ]);
    expect(planned('2026-03-02T08:55:00Z', LOGS)).toEqual([]);
  });

  it('is asked in four tools at most, and without a window if the start is not known', () => {
    const many = Array.from({ length: 9 }, () => RELEASES);
    expect(planned('2026-03-02T08:55:00Z', ...many)).toHaveLength(4);
    expect(planned('', EVENTS)).toEqual([{ tool: 'grafana__annotations', args: {} }]);
  });

  it('merges deployments, alerts, changes and values of all sources by time, each with its look-up', () => {
    const brief = anIncidentBrief(
      aMonitoredAlert({ alertname: 'Errors' }, { startsAt: '2026-03-02T08:50:00Z' }),
    );
    const evidence = incidentEvidence([
      anItem('E1', 'prometheus__range', {
        text: '2026-03-02T08:49:00Z errors{service="pay"} = 0 /s\n2026-03-02T08:52:00Z errors{service="pay"} = 40 /s ERROR rate',
      }),
      anItem('E2', 'hub__releases', {
        text: '2026-03-02T08:47:00Z release v2.1.0 of pay, deployed to production',
      }),
      anItem('E3', 'alertmanager__alerts', {
        text: '2026-03-02T08:51:00Z {alertname="PoolFull",service="pay"} active: ERROR pool exhausted',
      }),
      anItem('E4', 'grafana__annotations', {
        text: '2026-03-02T08:40:00Z flag pay-later enabled, config changed',
      }),
    ]);
    const reads = lookUpsOf(evidence, []);
    const moments = incidentResultTimeline(
      { hypotheses: [], ruledOut: [], resolvedAt: null, lookUps: reads },
      { incident: incidentIn(brief), reads },
    );
    expect(moments.map(({ at, source }) => [at.slice(11, 16), source])).toEqual([
      ['08:40', 'E4'],
      ['08:47', 'E2'],
      ['08:50', 'alert'],
      ['08:51', 'E3'],
      ['08:52', 'E1'],
    ]);
  });
});
