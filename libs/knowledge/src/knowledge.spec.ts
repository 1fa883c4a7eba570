import { IMPORT_COMMANDS, POLICY_IMPORT, type Json } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createPostgresStore } from '@casefile/store';
import { emptyDatabase, testDatabase, type TestDatabase } from '@casefile/store/testing';
import { importers } from './importers.js';
import { memoryKnowledge, openKnowledge, type Knowledge } from './knowledge.js';
import { policyConformance } from './policies/policies.conformance.js';
import { readRunbook } from './runbooks/read-runbook.js';
import { runbookConformance } from './runbooks/runbooks.conformance.js';
import { patternConformance } from './scam-patterns/scam-patterns.conformance.js';
import { scamReportConformance } from './scam-reports/scam-reports.conformance.js';
import { silentPorts } from './testing/fake-ports.js';

function describeKnowledge(name: string, make: () => Promise<[Knowledge, () => Promise<void>]>): void {
  describe(name, () => {
    let knowledge: Knowledge;
    let close: () => Promise<void>;
    beforeEach(async () => ([knowledge, close] = await make()));
    afterEach(() => close());
    patternConformance(() => knowledge.scamPatterns);
    policyConformance(() => knowledge.policies);
    scamReportConformance(() => knowledge.scamReports);
    runbookConformance(() => knowledge.runbookBase);
  });
}

describe('what can be imported', () => {
  it('has a command each', () => {
    const commands = IMPORT_COMMANDS.map(({ name }) => name);
    expect(importers.map(({ name }) => name)).toEqual(commands);
    const { documentExtensions } = memoryKnowledge(manualClock(), silentPorts());
    expect(POLICY_IMPORT.folder).toEqual(documentExtensions);
  });
});

describeKnowledge('knowledge in memory', async () => [
  memoryKnowledge(manualClock(), silentPorts()),
  async () => undefined,
]);

it('S2-48 runbooks are put in without the secrets in them, pinned as their files are, or not at all', async () => {
  const mask = async (value: Json) => {
    if (JSON.stringify(value).includes('cannot')) throw new Error('the rules are broken');
    return { value: JSON.parse(JSON.stringify(value).replaceAll('k-1234', '[masked]')) as Json };
  };
  const { runbookBase } = memoryKnowledge(manualClock(), { ...silentPorts(), mask });
  const bytes = (text: string) => new TextEncoder().encode(text);
  const given = readRunbook({
    name: 'disk.md',
    bytes: bytes('# Disk\nk-1234'),
    source: 'disk.md',
    address: null,
  });
  await runbookBase.importRunbooks('books', [given]);
  expect(await runbookBase.runbookVersions('disk')).toMatchObject([
    { text: '# Disk\n[masked]', pin: given.pin },
  ]);
  await expect(runbookBase.importRunbooks('books', [{ ...given, text: 'cannot' }])).rejects.toThrow('broken');
  expect(await runbookBase.listRunbooks()).toHaveLength(1);
});

describe('on a server', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await testDatabase()));
  afterAll(() => database.drop());

  describeKnowledge('knowledge in Postgres', async () => {
    const store = createPostgresStore({ databaseUrl: database.url, poolSize: 5 });
    const close = async () => {
      await store.close();
      await emptyDatabase(database.url);
    };
    return [openKnowledge(store.database, silentPorts()), close];
  });
});
