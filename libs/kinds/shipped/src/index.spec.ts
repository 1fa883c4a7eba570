import { readdirSync } from 'node:fs';
import { alertInputSchema, verdictSchema } from '@casefile/contracts';
import { playbookNamed } from '@casefile/pipeline';
import { kinds, playbooks } from './loaded.js';

const folders = readdirSync(new URL('../..', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'shipped')
  .map(({ name }) => name);

describe('the list of kinds', () => {
  it('has every folder of kinds, by its name', () => {
    expect(playbooks.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  it('finds by name, and says which there are when there is none', () => {
    expect(playbookNamed(playbooks[0]!.name, playbooks)).toBe(playbooks[0]);
    const act = () => playbookNamed('nonesuch', playbooks);
    expect(act).toThrow(expect.objectContaining({ reasonCode: 'unknown_playbook' }));
    expect(act).toThrow(new RegExp(playbooks[0]!.name));
  });

  it('have an example of one of them for API documents', () => {
    const examples = kinds.filter(({ example }) => example !== null);
    expect(examples.length).toBeGreaterThan(0);
    for (const { example, playbook } of examples) {
      const { alert, verdict } = example!;
      expect(alert.playbook).toBe(playbook.name);
      expect(alertInputSchema.parse(alert)).toEqual(alert);
      expect(verdictSchema.parse(verdict)).toEqual(verdict);
      expect(playbook.intake.claims(alert, () => ({}))).toMatchObject({ strength: 'matches' });
      expect(playbook.intake.problems(alert)).toEqual([]);
    }
  });

  it('each has a package of its own name', async () => {
    for (const { name } of playbooks) {
      const { default: kind } = (await import(`@casefile/${name}`)) as { default: unknown };
      expect(kinds).toContain(kind);
    }
  });
});
