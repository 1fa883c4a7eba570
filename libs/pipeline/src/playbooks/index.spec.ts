import { readdirSync } from 'node:fs';
import { alertInputSchema, verdictSchema } from '@casefile/contracts';
import { exampleCase, playbooks, playbookNamed } from './index.js';

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

  it('have an example of one of them for API documents', () => {
    const { alert, verdict } = exampleCase;
    expect(alertInputSchema.parse(alert)).toEqual(alert);
    expect(verdictSchema.parse(verdict)).toEqual(verdict);
    const { intake } = playbookNamed(alert.playbook!);
    expect(intake.claims(alert, () => ({}))).toMatchObject({ strength: 'matches' });
    expect(intake.problems(alert)).toEqual([]);
  });
});
