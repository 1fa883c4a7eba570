import { folderEntries } from '../testing/folder-entries.js';
import { reviewers, reviewerNamed } from './index.js';

describe('the list of reviewers', () => {
  it('has every file of the folder, by its name', () => {
    expect(reviewers.map((entry) => entry.name).sort()).toEqual(folderEntries(new URL('.', import.meta.url)));
  });

  it('finds by name, and says which there are when there is none', () => {
    expect(reviewerNamed(reviewers[0]!.name)).toBe(reviewers[0]);
    const act = () => reviewerNamed('nonesuch');
    expect(act).toThrow(expect.objectContaining({ reasonCode: 'unknown_reviewer' }));
    expect(act).toThrow(new RegExp(reviewers[0]!.name));
  });
});
