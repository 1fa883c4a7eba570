import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { readYamlKind } from './read-yaml-kind.js';

const SAMPLE = fileURLToPath(new URL('../../../samples/kinds/vendor-bank-change/', import.meta.url));

/** Reads the sample kind after a change of its text. */
function changed(from: string | RegExp, to: string) {
  const folder = temporaryFolder('yaml-kind');
  cpSync(SAMPLE, folder, { recursive: true });
  const file = join(folder, 'kind.yaml');
  const before = readFileSync(file, 'utf8');
  const text = before.replace(from, () => to);
  expect(text).not.toBe(before);
  writeFileSync(file, text);
  return readYamlKind(file);
}

describe('a kind written as YAML', () => {
  it('is a kind as any other, in at most 60 lines', () => {
    const kind = readYamlKind(join(SAMPLE, 'kind.yaml'));
    expect(kind).toMatchObject({
      playbook: {
        name: 'vendor-bank-change',
        version: '1',
        strategy: 'single-shot',
        tools: ['domain_reputation'],
      },
    });
    expect(readFileSync(join(SAMPLE, 'kind.yaml'), 'utf8').match(/\n/g)?.length).toBeLessThanOrEqual(60);
  });

  it.each([
    ['a wrong name', 'name: vendor-bank-change', 'name: Vendor', 'name', /lower-case/],
    ['an unknown field', 'version: 1', 'version: 1\nverison: 2', '', /verison/],
    [
      'a wrong disposition',
      'disposition: dismiss',
      'disposition: close',
      'decision[1].disposition',
      /act, review, dismiss/,
    ],
    [
      'a wrong condition',
      'when: answer.risk == "high"',
      'when: anwser.risk == "high"',
      'decision[0].when',
      /anwser/,
    ],
    [
      'a row over a setting that is not there',
      'question:\n',
      'evidence: [{ each: vendors, when: "true", type: vendor, value: "{{item}}" }]\nquestion:\n',
      'evidence[0].each',
      /expected a setting whose type is array/,
    ],
    [
      'a setting whose default does not fit it',
      'question:\n',
      'settings: { vendors: { type: array, items: { type: string }, default: [1] } }\nquestion:\n',
      'settings.vendors',
      /default: .*string/,
    ],
    [
      'a setting with the name of an option',
      'question:\n',
      'settings: { deadlineMs: { type: number, default: 1 } }\nquestion:\n',
      'settings.deadlineMs',
      /another name/,
    ],
    ['a wrong text', '{{input.newIban}}', '{{input.newIban + }}', 'text', /./],
    [
      'a prompt that is missing',
      'prompt: question.md',
      'prompt: other.md',
      'question.prompt',
      /expected a file in .*found other\.md/,
    ],
    [
      'a prompt of another folder',
      'prompt: question.md',
      'prompt: ../question.md',
      'question.prompt',
      /expected a file in/,
    ],
    [
      'two dispositions of one action',
      'action: call-back',
      'action: block',
      'decision[2].disposition',
      /expected act, as of block/,
    ],
    ['no YAML', 'name: vendor-bank-change', 'name: [', '', /./],
    [
      'a link within the file',
      'labels: { risk: risk of fraud }',
      'labels: { risk: &v risk, a: *v }',
      '',
      /no links/,
    ],
    [
      'a field that every outcome has',
      /risk:\s+\{\s+type: string/,
      'action: { type: string',
      'question.answer.properties.action',
      /another name/,
    ],
    [
      'an answer that does not fit',
      'answer: { risk: medium }',
      'answer: { risk: medum }',
      'rules[1].answer.risk',
      /./,
    ],
    [
      'a review that dismisses',
      'action: change',
      'action: review',
      'decision[1].disposition',
      /expected review/,
    ],
    [
      'a title that names no field',
      'title: payload.vendor',
      'title: payload.vendr',
      'display.title',
      /expected a field of the payload \(vendor, .*\), found vendr/,
    ],
    [
      'a section about a tool that it does not ask',
      'evidence.domain_reputation',
      'evidence.scam_db',
      'display.sections[2].of[0]',
      /expected a tool of the kind \(domain_reputation\), found scam_db/,
    ],
    [
      'a section about a field of no answer',
      'of: payload.message',
      'of: outcome.why',
      'display.sections[3].of',
      /expected a field of the outcome \(risk, action, summary\), found why/,
    ],
    [
      'an unknown section',
      'show: text',
      'show: video',
      'display.sections[3].show',
      /expected one of text, facts, badges, table, chart, timeline, quotes, image/,
    ],
    ['a sample that does not fit', 'samples/alert.json', 'samples/seen.jsonl', 'sample', /with a payload/],
    [
      'a slow pattern',
      "'^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$' }\n    newIban",
      "'^([A-Z]+)+$' }\n    newIban",
      'input',
      /group that is repeated/,
    ],
  ])('names the field of %s', (_, from, to, path, message) => {
    expect(changed(from, to)).toContainEqual({ path, message: expect.stringMatching(message) });
  });
});
