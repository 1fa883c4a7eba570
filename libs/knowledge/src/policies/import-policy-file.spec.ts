import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CasefileError, reasonCodeOf } from '@casefile/contracts';
import { inProcessRunner, temporaryFolder } from '@casefile/contracts/testing';
import {
  importPolicyFile as importFile,
  type PolicyFile,
  type PolicyImportOptions,
} from './import-policy-file.js';
import type { PolicyBase, PolicyInput } from './policy-base.js';

type Store = Pick<PolicyBase, 'importPolicy' | 'policyOfSource'>;

/** Knows German by a word of it, and nothing of numbers. */
const detectLanguage = async (text: string) =>
  /\bmuss\b/.test(text) ? { code: 'de', certainty: 0.9 } : { code: 'en', certainty: 0.1 };
const importPolicyFile = (
  store: Store,
  file: PolicyFile,
  options?: PolicyImportOptions,
  onProgress?: (done: number, total: number) => void,
) => importFile(store, { detectLanguage, runner: inProcessRunner }, file, options, { onProgress });

let folder: string;
beforeEach(() => (folder = temporaryFolder('import')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A store that remembers what it was given, and refuses with `failure` when there is one. */
function aStore(failure?: CasefileError) {
  const given: PolicyInput[] = [];
  const store: Store = {
    importPolicy: async (input) => {
      if (failure !== undefined) throw failure;
      given.push(input);
      return { policyId: input.policyId, version: given.length, outcome: 'new' };
    },
    policyOfSource: async (policyId, digest) => {
      const known = given.find((one) => one.policyId === policyId && one.sourceDigest === digest);
      if (known === undefined) return null;
      return { ...known, version: 1, sections: known.sections.length, importedAt: '2026-01-05T10:00:00Z' };
    },
  };
  return { given, store };
}
const file = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, policyId: 'rules' };
};
const GERMAN =
  '# Regeln\n\nJeder Schaden muss innerhalb von dreißig Tagen nach dem Ereignis schriftlich gemeldet werden.';

describe('S4-14 the import of one document', () => {
  it('ends when it is called off, and keeps nothing', async () => {
    const { given, store } = aStore();
    const context = { signal: AbortSignal.abort(new CasefileError('stopping', 'The service stops')) };
    const ports = { detectLanguage, runner: inProcessRunner };
    await expect(importFile(store, ports, file('a.md', GERMAN), {}, context)).rejects.toMatchObject({
      reasonCode: 'stopping',
    });
    expect(given).toEqual([]);
  });

  it('takes the language from the command, the document, or its words, in this order', async () => {
    const { given, store } = aStore();
    const said = `<html lang="fr"><h1>Regeln</h1><p>${GERMAN}</p></html>`;
    await importPolicyFile(store, file('a.html', said), { language: 'en' });
    await importPolicyFile(store, file('b.html', `${said} `));
    await importPolicyFile(store, file('a.md', GERMAN));
    await importPolicyFile(store, file('b.md', '123 456'));
    expect(given.map(({ language }) => language)).toEqual(['en', 'fr', 'de', 'und']);
  });

  it('does not read a file again that made the current version', async () => {
    const { given, store } = aStore();
    const rules = file('a.md', GERMAN);
    expect(await importPolicyFile(store, rules)).toMatchObject({
      outcome: 'new',
      sections: 1,
      language: 'de',
    });
    const pages: number[] = [];
    const again = await importPolicyFile(store, rules, {}, (page) => pages.push(page));
    expect(again).toMatchObject({ outcome: 'unchanged', version: 1, sections: 1 });
    expect([given.length, pages.length]).toEqual([1, 0]);
    await importPolicyFile(store, rules, { language: 'en' });
    expect(given).toHaveLength(2);
  });

  it('is all or nothing: what is wrong with a file is its outcome', async () => {
    const { given, store } = aStore();
    const outcomes = [
      await importPolicyFile(store, file('a.md', '')),
      await importPolicyFile(store, file('a.pdf', 'no pdf')),
      await importPolicyFile(store, file('a.txt', Buffer.from([0xff, 0x00, 0x41]))),
      await importPolicyFile(store, { path: join(folder, 'no.md'), policyId: 'no' }),
    ];
    expect(outcomes.map((one) => ('error' in one ? one.error.reasonCode : 'in'))).toEqual([
      'empty_document',
      'unreadable_document',
      'unknown_encoding',
      'unreadable_file',
    ]);
    expect(given).toEqual([]);
  });

  it.each(['store_unreachable', 'store_error'])(
    'stops for all when the store says %s',
    async (reasonCode) => {
      const { store } = aStore(new CasefileError(reasonCodeOf(reasonCode), 'the store is away'));
      await expect(importPolicyFile(store, file('a.md', GERMAN))).rejects.toMatchObject({ reasonCode });
    },
  );
});
