import { readdirSync } from 'node:fs';
import { alertInputSchema, verdictSchema } from '@casefile/contracts';
import { playbooks, playbookNamed } from './index.js';

const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('the list of playbooks', () => {
  it('has every file of the folder, by its name', () => {
    expect(playbooks.map((entry) => entry.name).sort()).toEqual(folders.sort());
  });

  it('finds by name, and says which there are when there is none', () => {
    expect(playbookNamed(playbooks[0]!.name)).toBe(playbooks[0]);
    const act = () => playbookNamed('nonesuch');
    expect(act).toThrow(expect.objectContaining({ reasonCode: 'unknown_playbook' }));
    expect(act).toThrow(new RegExp(playbooks[0]!.name));
  });

  it('show an example that is one of their own', () => {
    const shown = playbooks.flatMap(({ name, example, matches, validate }) =>
      example === undefined ? [] : [{ name, example, matches, validate }],
    );
    expect(shown).not.toHaveLength(0);
    for (const { name, example, matches, validate } of shown) {
      expect(alertInputSchema.parse(example.alert)).toEqual(example.alert);
      expect(verdictSchema.parse(example.verdict)).toEqual(example.verdict);
      expect([example.alert.playbook, matches(example.alert), validate(example.alert)]).toEqual([
        name,
        true,
        [],
      ]);
    }
  });
});
