import { folderEntries } from '../testing/folder-entries.js';
import { strategies, strategyNamed } from './index.js';

describe('the list of strategies', () => {
  it('has every file of the folder, by its name', () => {
    expect(strategies.map((entry) => entry.name).sort()).toEqual(
      folderEntries(new URL('.', import.meta.url)),
    );
  });

  it('finds by name, and says which there are when there is none', () => {
    expect(strategyNamed(strategies[0]!.name)).toBe(strategies[0]);
    const act = () => strategyNamed('nonesuch');
    expect(act).toThrow(expect.objectContaining({ reasonCode: 'unknown_strategy' }));
    expect(act).toThrow(new RegExp(strategies[0]!.name));
  });
});
