import type { Draft, Review } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { anIncidentInput, aRunbookItem, incidentEvidence } from './testing/incident-builders.js';
import { options } from './options.js';
import { judgeByRules } from './rules/judge-by-rules.js';
import { prepareIncident } from './alert.js';
import { writeReport } from './write.js';

const settings = aRunSettings({ options: options.defaults });
const review = {} as Review;
const reportOn = (alert: object, evidence = incidentEvidence([])): string => {
  const input = anIncidentInput(evidence);
  const given = prepareIncident(alert as never);
  const brief = { ...input.brief, text: given.text, input: given.input! };
  const draft = judgeByRules({ ...input, brief }) as unknown as Draft;
  return writeReport({ unit: '', brief, evidence, draft, review }, settings).markdown;
};
const alert = {
  payload: {
    alert: {
      status: 'firing',
      labels: { alertname: 'PodCrashLooping', namespace: 'payments', pod: 'ledger-7f9c' },
      annotations: {
        summary: 'It crashes',
        description: 'Restarted 14 times',
        runbook_url: 'https://x.example',
      },
    },
  },
};

describe('S2-44 the report on an incident', () => {
  it('names the thing by all that its sender says, once', () => {
    const text = reportOn(alert).replaceAll('\\', '');
    expect(text).toContain(
      '- description: Restarted 14 times\n- alertname PodCrashLooping, namespace payments',
    );
    expect(text).not.toContain('x.example');
    expect(text.match(/It crashes/g)).toHaveLength(1);
  });

  it('shows words without fields where their beginning is not all of them', () => {
    const long = `Checkout answers 502. ${'It began at ten past two. '.repeat(8)}`;
    expect(reportOn({ text: long })).toContain('## What its sender says');
    expect(reportOn({ text: 'Checkout answers 502' })).not.toContain('## What its sender says');
  });

  it('S2-41 says why nothing was looked up and why there is no runbook', () => {
    const bare = reportOn(alert, incidentEvidence([], { tools: [], toolsOut: [] }));
    expect(bare).toContain('Nothing: no tools are set up for this alert');
    expect(bare).toContain('## Runbook\n\nNone: ');
    const out = { tools: [], toolsOut: [{ name: 'a__b', why: 'a is down' }] };
    expect(reportOn(alert, incidentEvidence([], out))).toContain('Nothing: no tool could be used');
    expect(reportOn(alert, incidentEvidence([aRunbookItem()]))).not.toContain('None: ');
  });
});
