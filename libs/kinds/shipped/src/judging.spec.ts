import { JUDGED_PARTS } from '@casefile/contracts';
import { kindDisplay } from '@casefile/pipeline';
import { playbooks } from './loaded.js';

describe('S4-59 what a reviewer judges', () => {
  it.each(playbooks.map((playbook) => [playbook.name, playbook] as const))(
    'is declared by %s: parts that exist, with the view of the kind if it has one',
    (_, { presenting }) => {
      const { judging } = kindDisplay(presenting);
      expect(presenting.display?.judging).toEqual(judging);
      expect(judging.filter((part) => !JUDGED_PARTS.includes(part))).toEqual([]);
      expect(judging.includes('view')).toBe(presenting.view !== undefined);
      expect(judging.includes('sections')).toBe((presenting.display?.sections ?? []).length > 0);
    },
  );

  it('comes with a report or the view of the kind, so that no verdict is judged by its alert alone', () => {
    const without = playbooks.filter(({ presenting }) => {
      const { judging } = kindDisplay(presenting);
      return !judging.includes('view') && !judging.includes('report');
    });
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});
