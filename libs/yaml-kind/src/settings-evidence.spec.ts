import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import type { Kind } from '@casefile/kit';
import { replayKind, runKind } from '@casefile/kit/testing';
import { readYamlKind } from './read-yaml-kind.js';

const SAMPLE = fileURLToPath(new URL('../../../samples/kinds/vendor-bank-change/', import.meta.url));
const SETTINGS = `
settings:
  vendors: { type: array, items: { type: object }, default: [] }
evidence:
  - { each: vendors, when: item.name == input.vendor, type: vendor, value: '{{item.name}}' }
`;
/** The sample kind, which compares the vendor with a list of the installation. */
function withVendors(): Kind {
  const folder = temporaryFolder('yaml-kind');
  cpSync(SAMPLE, folder, { recursive: true });
  const file = join(folder, 'kind.yaml');
  const rule = `decision:\n  - when: '!evidence.exists(e, e.tool == "settings" && e.ok && e.result.iban == input.oldIban)'
    action: block\n    disposition: act\n    because: 'The old account is not that of {{input.vendor}} on the list.'\n`;
  const text = readFileSync(file, 'utf8').replace('decision:\n', () => rule);
  writeFileSync(file, text + SETTINGS);
  const kind = readYamlKind(file);
  if (Array.isArray(kind)) throw new Error(JSON.stringify(kind));
  return kind;
}

const payload = JSON.parse(readFileSync(join(SAMPLE, 'samples/seen.jsonl'), 'utf8').split('\n')[0]!).payload;
const honest = {
  ...payload,
  vendor: 'Hafen Logistik AG',
  knownDomain: 'hafen-logistik.example',
  senderDomain: 'hafen-logistik.example',
  oldIban: 'DE89370400440532013000',
  newIban: 'DE12500105170648489890',
  openAmount: 1_200,
  confirmedByPhone: true,
};
const vendor = { name: honest.vendor, iban: honest.oldIban };
const judged = async (vendors: unknown[]) =>
  runKind(withVendors(), { payload: honest }, { strategy: 'rules', options: { vendors: vendors as never } });
const itemsOf = ({ artifacts }: Awaited<ReturnType<typeof judged>>) =>
  artifacts.find(({ artifact }) => artifact === 'evidence')?.body['items'];

describe('evidence from the settings of the installation', () => {
  it('has the items that concern the case, with the source settings, and a replay has the same', async () => {
    const run = await judged([{ name: 'Another AG', iban: 'x' }, vendor]);
    expect(itemsOf(run)).toMatchObject([
      {
        id: 'E1',
        toolName: 'settings',
        source: 'settings',
        entityType: 'vendor',
        entityValue: honest.vendor,
        result: vendor,
        success: true,
      },
    ]);
    expect(run.verdict).toMatchObject({ outcome: { action: 'change' }, degraded: false });
    expect((await replayKind(withVendors(), run)).verdict).toEqual(run.verdict);
    const another = await judged([{ ...vendor, iban: 'DE00' }]);
    expect(another.verdict).toMatchObject({ outcome: { action: 'block' } });
    expect(another.verdict.reasons[0]).toContain('is not that of Hafen Logistik AG on the list');
  });

  it.each([
    ['an item without the field of the condition', [{ iban: 'x' }, vendor], /evidence\[0\]: .*name/],
    ['more items than can be compared', Array(2_001).fill(vendor), /evidence\[0\]: vendors has 2001 items/],
  ])('is a gap, with which no case is dismissed: %s', async (_, vendors, message) => {
    const run = await judged(vendors);
    expect(itemsOf(run)).toMatchObject([{ success: false, message: expect.stringMatching(message) }]);
    expect(run.verdict.degraded).toBe(true);
    expect(run.verdict.disposition).not.toBe('dismiss');
  });
});
