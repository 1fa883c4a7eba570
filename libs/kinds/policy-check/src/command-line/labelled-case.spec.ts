import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidInput } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { labelledCaseAlert, readLabelledCases } from './labelled-case.js';
import { policyCases } from './policy-cases.js';

const criterion = { id: 'a', status: 'MET', citations: [{ section: '1 One', quote: 'words' }], facts: ['x'] };
const bundle = {
  id: 'c-1',
  title: 'Case',
  policy: 'rules',
  criteria: [{ id: 'a', text: 'Is it?' }],
  facts: [{ name: 'x', value: 1, confidence: 1 }],
};
const labelled = { ...bundle, expected: { status: 'MET', criteria: [criterion] } };

let path: string;
beforeAll(async () => {
  path = join(temporaryFolder('cases'), 'cases.json');
});
const read = async (cases: unknown) => {
  await writeFile(path, JSON.stringify(cases));
  return readLabelledCases(path);
};
const problemsOf = (cases: unknown) =>
  read(cases).then(
    () => [],
    (error: unknown) =>
      error instanceof InvalidInput ? error.problems.map((problem) => problem.path) : [error],
  );

describe('labelled cases', () => {
  it('become alerts without anything of what is expected', async () => {
    const [one] = await read([labelled]);
    const { id: _, ...payload } = bundle;
    expect(labelledCaseAlert(one!)).toEqual({ playbook: 'policy-check', payload, labels: { kind: 'c-1' } });
    expect(JSON.stringify(labelledCaseAlert(one!))).not.toContain('expected');
    const { items } = await policyCases.read(path, {});
    expect(items.map(({ alert }) => JSON.stringify(alert))).toEqual([
      JSON.stringify(labelledCaseAlert(one!)),
    ]);
  });

  it('are the bundled ones where none are named, as many as asked for', async () => {
    const bundled = policyCases.sets[0].path;
    const all = await policyCases.read(bundled, {});
    expect(all.items).toHaveLength(10);
    expect((await policyCases.read(bundled, { limit: 3 })).items).toHaveLength(3);
  });

  it.each<[string, unknown, string[]]>([
    ['no list', {}, ['']],
    ['an empty list', [], ['']],
    ['a case without an id', [{ ...labelled, id: undefined }], ['[0].id']],
    [
      'a bundle that intake would refuse',
      [{ ...labelled, criteria: [] }],
      ['[0].criteria', '[0].expected.criteria'],
    ],
    [
      'a status that there is not',
      [{ ...labelled, expected: { ...labelled.expected, status: 'YES' } }],
      ['[0].expected.status'],
    ],
    [
      'a criterion without a label',
      [{ ...labelled, expected: { status: 'MET', criteria: [] } }],
      ['[0].expected.criteria'],
    ],
    [
      'a label twice',
      [{ ...labelled, expected: { status: 'MET', criteria: [criterion, criterion] } }],
      ['[0].expected.criteria'],
    ],
    ['an id twice', [labelled, labelled], ['[1].id']],
  ])('are refused for %s', async (_, cases, paths) => {
    expect(await problemsOf(cases)).toEqual(paths);
  });
});
