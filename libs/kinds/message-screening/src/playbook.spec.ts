import { briefSchema, type Brief, type Json, type JsonObject } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { fastTextIdentifier } from '@casefile/pipeline/language/detect-language';
import { addRoute } from './route-message.js';
import { triage } from '@casefile/pipeline/stages';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import { playbookStrategy } from '@casefile/pipeline/playbook';
import { aDraft, aReview, evidenceOf, failedItem } from '@casefile/pipeline/testing/scam-builders';
import {
  aMessage,
  aMatch,
  aScreeningAnswer,
  aScreeningInput,
  similarScams,
} from './testing/screening-builders.js';
import { decide } from './testing/screening-decisions.js';
import { readAnswer } from './answer.js';
import { writeReport } from './write.js';
import { safeDefault } from './judge-by-rules.js';
import { requests } from './look-up.js';
import { messageScreening } from './playbook.js';

const planned = (brief: Partial<Brief>, options: Record<string, Json> = messageScreening.options.defaults) =>
  requests(
    { brief: aMessage(brief), previous: {}, unit: '', settings: aRunSettings({ options }) },
    fakePorts().tools,
  );
const plan = (...given: Parameters<typeof planned>) =>
  planned(...given).filter(({ tool }) => tool === 'find_similar_scams');

async function briefOf(text: string, playbook = messageScreening): Promise<Brief> {
  const alert = { id: 'a', playbook: playbook.name, text, receivedAt: '2026-01-05T10:00:00Z' };
  const outcome = await triage.run(
    { alert, artifacts: {}, previous: {}, units: [] },
    fakePorts({ playbook }),
  );
  if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
  return briefSchema.parse(outcome.artifact);
}

describe('the playbook message-screening', () => {
  it('S3-10 in normal mode looks up the message among known patterns, 5 of them', () => {
    expect(plan({ text: 'Pay now', language: { code: 'hi-Latn', certainty: 0.9 } })).toEqual([
      {
        tool: 'find_similar_scams',
        args: {
          entityType: 'message',
          entityValue: 'Pay now',
          language: 'hi-Latn',
          matches: 5,
        },
      },
    ]);
    expect(plan({}, { matches: 3 })[0]!.args['matches']).toBe(3);
    // S3-14: levels are the embedder's own until a configuration sets others.
    const levels = { words: { highFrom: 0.4, mediumFrom: 0.3 } };
    expect(plan({}, { highFrom: 0.9, levels })[0]!.args).toMatchObject({ highFrom: 0.9, levels });
  });

  it('S3-20 in strict mode, or without a text, looks nothing up', () => {
    expect(plan({ mode: 'strict' })).toEqual([]);
    expect(planned({ text: '  ' })).toEqual([]);
  });

  it('S1-16 S3-44 has the text read in every mode; its patterns are looked up apart', () => {
    for (const mode of ['normal', 'strict'])
      expect(planned({ mode, text: 'Pay now' }).at(-1)).toEqual({
        tool: 'text_signals',
        args: { text: 'Pay now', language: 'en', patterns: 0 },
      });
  });

  it('S3-10 looks up the beginning of a long message, in no more UTF-16 units than the tool takes', () => {
    const { entityValue } = plan({ text: `  x${'🎁'.repeat(50_000)}` })[0]!.args;
    expect(String(entityValue)).toMatch(/^x🎁/u);
    expect(String(entityValue)).not.toMatch(/\p{Surrogate}/u);
    expect(String(entityValue).length).toBeLessThanOrEqual(2_048);
  });

  it('S3-01 S3-10 looks a disguised message up by what it says, tells its reader, and keeps it as it came', async () => {
    const text = 'Vеrify yоur bаnk account today or it is closed';
    const brief = await briefOf(text);
    expect(brief).toMatchObject({ text, mode: 'normal', language: { code: 'en' } });
    expect(brief.notes).toEqual([expect.stringContaining('stand in for Latin ones in words: 3')]);
    expect(plan(brief)[0]!.args['entityValue']).toBe('Verify your bank account today or it is closed');
  });

  it('S3-01 triage notes language, certainty and mode on the brief', async () => {
    await expect(briefOf('Kal subah milte hain, thik hai bhai?')).resolves.toMatchObject({
      mode: 'normal',
      language: { code: 'hi-Latn', certainty: expect.any(Number) },
    });
  });

  it('S3-41 a language identifier that cannot be loaded ends in the safe default, degraded, and no model is paid', async () => {
    const identify = fastTextIdentifier(new URL('file:///no/such/model.ftz'));
    const playbook = {
      ...messageScreening,
      triage: addRoute(messageScreening.triage, identify),
    };
    const brief = await briefOf('Please verify your account today', playbook);
    expect(brief).toMatchObject({ mode: 'strict', language: { code: 'und', failure: 'no_identifier' } });
    expect(plan(brief)).toEqual([]);
    const ports = fakePorts({ playbook, script: ['never'], settings: { tools: [...playbook.tools] } });
    const input = { brief, evidence: { items: [] }, previous: {} };
    const reasoned = await playbookStrategy(playbook, 'grounded').reason(input, ports);
    const draft = reasoned.kind === 'done' ? reasoned.artifact : aDraft();
    expect(ports.model.calls).toEqual([]);
    expect(ports.lines).toEqual([expect.objectContaining({ level: 'warn' })]);
    const verdict = decide('strict', {}, { brief, draft });
    expect(verdict).toMatchObject({
      degraded: true,
      disposition: 'review',
      confidence: 0,
      outcome: { action: 'ignore', scamDetected: false, mode: 'strict', language: 'und' },
    });
    expect(verdict.reasons[0]).toContain('the language of the text could not be detected');
    const report = writeReport({ ...input, draft, review: aReview() });
    expect(report.markdown).toMatch(/it failed: no\\_identifier/);
  });

  it('S3-43 S3-11 figures of a configuration are checked as a whole, misspelt names too', () => {
    const check = (over: Record<string, Json>) => () =>
      messageScreening.options.check({ ...messageScreening.options.defaults, ...over });
    expect(check({})).not.toThrow();
    expect(check({ strictProbeFrom: 70, matches: 9, normalEngageForm: 0.5 })).toThrow(
      /strictProbeFrom[\s\S]*matches[\s\S]*normalEngageForm/,
    );
    expect(check({ highFrom: 0.8, mediumFrom: 0.9 })).toThrow(/mediumFrom/);
    expect(check({ levels: { words: { highFrom: 0.2, mediumFrom: 0.3 } } })).toThrow(/levels\.words/);
    expect(check({ levels: { words: { highFrom: 0.3, mediumFrom: 0.2 } } })).not.toThrow();
  });

  it('S3-14 a language that was looked up by words alone says so in the verdict and in the report', () => {
    const note =
      'Looked up by words alone: the encoder in use (e@1) does not read the language of the message (hi).';
    const byWords = similarScams(aMatch({ cosine: null, words: 0.4 }));
    const evidence = evidenceOf({ ...byWords, result: { ...(byWords.result as JsonObject), note } });
    expect(decide('normal', {}, { evidence }).reasons).toContain(`Known patterns: ${note}`);
    const input = aScreeningInput(evidence);
    expect(writeReport({ ...input, draft: aDraft(), review: aReview() }).markdown).toContain(
      'by words alone',
    );
    expect(
      decide('normal', {}, { evidence: evidenceOf(similarScams(aMatch())) }).reasons.join(),
    ).not.toContain('words alone');
  });

  it('refuses an alert without text and image', () => {
    expect(messageScreening.intake.problems({ payload: {} })).toEqual([
      expect.objectContaining({ path: 'text' }),
    ]);
    expect(messageScreening.intake.problems({ text: 'hi' })).toEqual([]);
  });

  it('S3-40 the report says what was found, in which mode, and what it rests on', () => {
    const input = aScreeningInput();
    const read = readAnswer(JSON.stringify(aScreeningAnswer()), input);
    const draft = 'value' in read ? { ...read.value, strategy: 'grounded' } : null;
    const review = { ruling: 'PASS' as const, findings: [], reviewer: 'mechanical' };
    const report = writeReport({ ...input, draft: draft!, review });
    expect(report).toMatchObject({ title: 'Message screening: a scam', citations: ['E1'] });
    for (const part of ['normal', 'asks for a code', 'Account blocked for missing KYC', '0.92 \\(HIGH\\)'])
      expect(report.markdown).toContain(part);
  });

  it('S3-41 the report of the safe default says that nothing was judged, and why', () => {
    const input = aScreeningInput(
      evidenceOf(failedItem('find_similar_scams', 'network'), similarScams(aMatch())),
    );
    const draft = { ...safeDefault(), strategy: 'grounded', fallbackReason: 'retrieval_failed' };
    const report = writeReport({ ...input, draft, review: { ruling: 'PASS', findings: [], reviewer: 'm' } });
    expect(report.title).toBe('Message screening: not judged');
    expect(report.markdown).toMatch(
      /look\\-up that the answer rests on failed[\s\S]*find\\_similar\\_scams\\?: there was no connection/,
    );
  });
});
