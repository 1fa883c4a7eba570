import { IMPORT_COMMANDS, POLICY_IMPORT, type Json } from '@casefile/contracts';
import { testRecord } from '@casefile/store/testing';
import { importers } from './importers.js';
import { openKnowledge } from './knowledge.js';
import { readRunbook } from './runbooks/read-runbook.js';
import { silentPorts } from './testing/fake-ports.js';

const record = testRecord();

describe('what can be imported', () => {
  it('has a command each', () => {
    const commands = IMPORT_COMMANDS.map(({ name }) => name);
    expect(importers.map(({ name }) => name)).toEqual(commands);
    const { documentExtensions } = openKnowledge(record().store.database, silentPorts());
    expect(POLICY_IMPORT.folder).toEqual(documentExtensions);
  });
});

it('S2-48 runbooks are put in without the secrets in them, pinned as their files are, or not at all', async () => {
  const mask = async (value: Json) => {
    if (JSON.stringify(value).includes('cannot')) throw new Error('the rules are broken');
    return { value: JSON.parse(JSON.stringify(value).replaceAll('k-1234', '[masked]')) as Json };
  };
  const { runbookBase } = openKnowledge(record().store.database, { ...silentPorts(), mask });
  const bytes = (text: string) => new TextEncoder().encode(text);
  const given = readRunbook({
    name: 'disk.md',
    bytes: bytes('# Disk\nk-1234'),
    source: 'disk.md',
    address: null,
  });
  await runbookBase.importRunbooks('books', [[given]]);
  expect(await runbookBase.runbookVersions('disk')).toMatchObject([
    { text: '# Disk\n[masked]', pin: given.pin },
  ]);
  await expect(runbookBase.importRunbooks('books', [[{ ...given, text: 'cannot' }]])).rejects.toThrow(
    'broken',
  );
  expect(await runbookBase.listRunbooks()).toHaveLength(1);
});
