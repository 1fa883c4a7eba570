import { folderEntries } from '../testing/folder-entries.js';
import { policies, policyNamed } from './index.js';

describe('the list of policies', () => {
  it('has every file of the folder, by its name', () => {
    expect(policies.map((entry) => entry.name).sort()).toEqual(folderEntries(new URL('.', import.meta.url)));
  });

  it('finds by name, and says which there are when there is none', () => {
    expect(policyNamed(policies[0]!.name)).toBe(policies[0]);
    const act = () => policyNamed('nonesuch');
    expect(act).toThrow(expect.objectContaining({ reasonCode: 'unknown_policy' }));
    expect(act).toThrow(new RegExp(policies[0]!.name));
  });
});
