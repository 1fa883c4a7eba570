import { anIncidentBrief, aRunbookItem, incidentEvidence, RUNBOOK } from './testing/incident-builders.js';
import {
  firstSteps,
  lookUpsAskedFor,
  runbookIn,
  runbookRequest,
  toolsNamedIn,
  incidentIn,
  whyNoRunbook,
} from './runbook.js';

const brief = anIncidentBrief();
const askedBy = (text: string) =>
  lookUpsAskedFor({ brief, evidence: incidentEvidence([aRunbookItem(text)]) });

describe('S2-41 a runbook', () => {
  it('is asked for by the labels, the type and the address of the alert', () => {
    expect(runbookRequest(incidentIn(brief))).toMatchObject({
      tool: 'runbook_find',
      args: { alertType: 'DiskAlmostFull', labels: { service: 'orders-db' } },
    });
    const annotated = { ...incidentIn(brief), annotations: { runbook_url: 'https://wiki.example/disk' } };
    expect(runbookRequest(annotated).args).toMatchObject({ url: 'https://wiki.example/disk' });
  });

  it('names tools, and orders those look-ups that it gives in full or that labels fill', () => {
    expect(toolsNamedIn(RUNBOOK)).toEqual(['cluster__disk_usage', 'cluster__logs']);
    expect(askedBy(RUNBOOK)).toEqual([
      { tool: 'cluster__disk_usage', args: { instance: 'db-2' } },
      { tool: 'cluster__logs', args: { service: 'orders-db', query: 'wal' } },
    ]);
  });

  it('widens no tools, and leaves out what it does not give in full', () => {
    expect(askedBy('`cluster__delete_all` `shell__run {"cmd": "rm"}`')).toEqual([]);
    // A missing label, arguments that are no JSON, and a required argument without a value.
    expect(askedBy('`cluster__logs {"service": "$labels.team", "query": "x"}`')).toEqual([]);
    expect(askedBy('`cluster__logs {service: orders}`')).toEqual([]);
    expect(askedBy('`cluster__logs`')).toEqual([]);
  });

  it('asks the same once, and no more than eight', () => {
    const lines = Array.from(
      { length: 20 },
      (_, i) => `\`cluster__logs {"service": "s", "query": "q${i % 12}"}\``,
    );
    expect(askedBy(lines.join('\n'))).toHaveLength(8);
    expect(askedBy('`cluster__disk_usage` and again `cluster__disk_usage`')).toHaveLength(1);
  });

  it('S2-49 has first steps, without the marks of its list', () => {
    expect(firstSteps(RUNBOOK, 2)).toEqual([
      'See how full it is: `cluster__disk_usage`',
      'Look for what grows: `cluster__logs {"service": "$labels.service", "query": "wal"}`',
    ]);
    expect(firstSteps('no list', 3)).toEqual([]);
  });

  it('is none where it was not found or could not be read', () => {
    const none = { ...aRunbookItem(), result: { found: false, why: 'no rule fits' } };
    expect(runbookIn({ items: [none] })).toBeNull();
    expect(whyNoRunbook({ items: [none] })).toBe('no rule fits');
    const unread = { ...aRunbookItem(), success: false, result: null, message: 'the page answers 404' };
    expect(whyNoRunbook({ items: [unread] })).toBe('the page answers 404');
    expect(whyNoRunbook({ items: [] })).toBe('It was not looked for.');
    expect(runbookIn({ items: [{ ...aRunbookItem(), success: false, result: null }] })).toBeNull();
  });
});
