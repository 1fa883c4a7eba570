import { readFileSync } from 'node:fs';
import { aRunSettings } from '@casefile/contracts/testing';
import { alertInputSchema, z, type EvidenceItem } from '@casefile/contracts';
import { anInput, evidenceOf, reports } from '@casefile/pipeline/testing/scam-builders';
import { messageScreening } from '@casefile/message-screening/playbook';
import { extractEntities } from '@casefile/pipeline/entities/extract-entities';
import { options } from '@casefile/message-screening/options';
import { routeMessage } from '@casefile/message-screening/route-message';
import { rules, scamVerdict } from '@casefile/scam-verdict/playbook';

const file = (name: string) => readFileSync(new URL(`../../../../samples/${name}`, import.meta.url), 'utf8');
const sampleSchema = z.looseObject({
  playbook: z.string(),
  text: z.string().optional(),
  imageFile: z.string().optional(),
  labels: z.record(z.string(), z.string()),
});
const all = z.array(sampleSchema).parse(JSON.parse(file('alerts.json')));
const samplesOf = (name: string) => all.filter(({ playbook }) => playbook === name);
const samples = samplesOf(scamVerdict.name);
const reported = file('scam-reports.csv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
  .map(([type, value, count, score]) => ({
    type: type!,
    value: value!,
    count: Number(count),
    score: Number(score),
  }));

/** What the screenshot says; reading it is the OCR's part. */
const SCREENSHOT =
  'Verify now: http://northvale-verify.example/login Or call our fraud desk on +1 900 555 0199';
const textOf = (sample: (typeof samples)[number]) => sample.text ?? SCREENSHOT;

function levelOf(text: string): unknown {
  const { entities } = extractEntities(text);
  const found = reported.filter(({ type, value }) => entities[type]?.includes(value));
  const items: Partial<EvidenceItem>[] = found.map(({ count, score }) =>
    reports(count, { riskScore: score }),
  );
  return rules.answer(anInput(evidenceOf(...items)), '', aRunSettings()).answer['riskLevel'];
}

describe('the samples', () => {
  it('are at least twelve alerts of scam-verdict: of the usual kinds, one in Hindi, one a screenshot', () => {
    expect(samples.length).toBeGreaterThanOrEqual(12);
    const kinds = samples.map((sample) => sample.labels['kind']);
    for (const kind of [
      'phone',
      'parcel',
      'bank',
      'job',
      'investment',
      'romance',
      'authority',
      'tech support',
    ]) {
      expect(kinds).toContain(kind);
    }
    expect(kinds.filter((kind) => kind === 'harmless')).toHaveLength(2);
    expect(samples.map((sample) => sample.labels['language'])).toContain('hi');
    expect(samples.map((sample) => sample.imageFile).filter(Boolean)).toEqual(['screenshot-bank.png']);
    for (const { imageFile, ...alert } of all) {
      const image = imageFile === undefined ? undefined : { mediaType: 'image/png', base64: 'AA==' };
      expect(alertInputSchema.safeParse({ ...alert, image }).error).toBeUndefined();
    }
  });

  it('S3-01 are a scam, a true notice and a message in a strict language for message-screening', async () => {
    const screened = samplesOf(messageScreening.name).map(async ({ text, labels }) => {
      const { mode, language } = await routeMessage(text ?? '', options.read(options.defaults));
      return [labels['kind'], mode, language?.code];
    });
    expect(await Promise.all(screened)).toEqual([
      ['bank', 'normal', 'en'],
      ['harmless', 'normal', 'en'],
      ['parcel', 'strict', 'es'],
    ]);
  });

  it('name no real person: reserved domains only', () => {
    const domains = all.flatMap((sample) => extractEntities(textOf(sample)).entities['domain'] ?? []);
    expect(domains.length).toBeGreaterThan(8);
    expect(domains.filter((domain) => !domain.endsWith('.example'))).toEqual([]);
  });

  it('S1-02 every reported value is found in a sample, in the form it is reported in', () => {
    const found = samples.flatMap((sample) => Object.entries(extractEntities(textOf(sample)).entities));
    const missing = reported.filter(
      ({ type, value }) => !found.some(([t, values]) => t === type && values.includes(value)),
    );
    expect(missing).toEqual([]);
  });

  it('S1-48 spread over high, medium and low without a model and without a network', () => {
    const levels = samples.map((sample) => levelOf(textOf(sample)));
    for (const level of ['high', 'medium', 'low'])
      expect(levels.filter((l) => l === level).length).toBeGreaterThanOrEqual(3);
    const harmless = samples.filter((sample) => sample.labels['kind'] === 'harmless');
    expect(harmless.map((sample) => levelOf(textOf(sample)))).toEqual(['low', 'low']);
  });
});
