import type { Json } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { triage } from '../stages/triage.js';
import { fakePorts } from '../testing/fake-ports.js';
import { evidenceOf, failed } from '../testing/scam-builders.js';
import {
  aMessage,
  aMatch,
  aScreeningAnswer,
  aScreeningInput,
  similarScams,
} from '../testing/screening-builders.js';
import { readAnswer } from './message-screening/read-answer.js';
import { writeReport } from './message-screening/report.js';
import { safeDefault } from './message-screening/safe-default.js';
import { messageScreening } from './message-screening.js';

const plan = (
  brief: Partial<ReturnType<typeof aMessage>>,
  options: Record<string, Json> = messageScreening.options,
) =>
  messageScreening.plan!({
    brief: aMessage(brief),
    previous: {},
    unit: '',
    settings: aRunSettings({ options }),
  });

describe('the playbook message-screening', () => {
  it('S3-10 in normal mode looks up the message among known patterns, 5 of them', () => {
    expect(plan({ text: 'Pay now', language: { code: 'hi-Latn', certainty: 0.9 } })).toEqual([
      {
        tool: 'find_similar_scams',
        args: {
          ...{ entityType: 'message', entityValue: 'Pay now', language: 'hi-Latn' },
          ...{ matches: 5, highFrom: 0.85, mediumFrom: 0.7 },
        },
      },
    ]);
    expect(plan({}, { matches: 3 })[0]!.args['matches']).toBe(3);
  });

  it('S3-20 in strict mode, or without a text, looks nothing up', () => {
    expect(plan({ mode: 'strict' })).toEqual([]);
    expect(plan({ text: '  ' })).toEqual([]);
  });

  it('S3-10 looks up the beginning of a long message', () => {
    const { entityValue } = plan({ text: '🎁'.repeat(50_000) })[0]!.args;
    expect(String(entityValue).length).toBeLessThanOrEqual(4_001);
  });

  it('S3-01 triage notes language, certainty and mode on the brief', async () => {
    const ports = fakePorts({ playbook: messageScreening });
    const alert = { id: 'a', playbook: 'message-screening', text: 'Kal subah milte hain, thik hai bhai?' };
    const loaded = {
      alert: { ...alert, receivedAt: '2026-01-05T10:00:00Z' },
      artifacts: {},
      previous: {},
      units: [],
    };
    await expect(triage.run(loaded, ports)).resolves.toMatchObject({
      artifact: { mode: 'normal', language: { code: 'hi-Latn', certainty: expect.any(Number) } },
    });
  });

  it('S3-43 S3-11 figures of a configuration are checked as a whole, misspelt names too', () => {
    const check = (over: Record<string, Json>) => () =>
      messageScreening.checkOptions!({ ...messageScreening.options, ...over });
    expect(check({})).not.toThrow();
    expect(check({ strictProbeFrom: 70, matches: 9, normalEngageForm: 0.5 })).toThrow(
      /strictProbeFrom[\s\S]*matches[\s\S]*normalEngageForm/,
    );
    expect(check({ mediumFrom: 0.9 })).toThrow(/mediumFrom/);
  });

  it('refuses an alert without text and image', () => {
    expect(messageScreening.validate({ payload: {} })).toEqual([expect.objectContaining({ path: 'text' })]);
    expect(messageScreening.validate({ text: 'hi' })).toEqual([]);
  });

  it('S3-40 the report says what was found, in which mode, and what it rests on', () => {
    const input = aScreeningInput();
    const read = readAnswer(JSON.stringify(aScreeningAnswer()), input);
    const draft = 'draft' in read ? { ...read.draft, strategy: 'grounded' } : null;
    const review = { ruling: 'PASS' as const, findings: [], reviewer: 'mechanical' };
    const report = writeReport({ ...input, draft: draft!, review });
    expect(report).toMatchObject({ title: 'Message screening: a scam', citations: ['E1'] });
    for (const part of ['normal', 'asks for a code', 'Account blocked for missing KYC', '0.92 \\(HIGH\\)'])
      expect(report.markdown).toContain(part);
  });

  it('S3-41 the report of the safe default says that nothing was judged, and why', () => {
    const input = aScreeningInput(
      evidenceOf(failed('find_similar_scams', 'network'), similarScams(aMatch())),
    );
    const draft = { ...safeDefault(input), strategy: 'grounded', fallbackReason: 'retrieval_failed' };
    const report = writeReport({ ...input, draft, review: { ruling: 'PASS', findings: [], reviewer: 'm' } });
    expect(report.title).toBe('Message screening: not judged');
    expect(report.markdown).toMatch(/retrieval\\_failed[\s\S]*find\\_similar\\_scams\\?: network/);
  });
});
