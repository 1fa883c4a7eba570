import { shownCaseTitle } from './case-title.js';

describe('S2-32 what a case is called', () => {
  const alert = { id: 'a', playbook: '', receivedAt: '', displayTitle: '' };
  const image = { mediaType: 'image/png' as const, url: '', bytes: 1 };

  it('is the title that its kind declares, else what it is', () => {
    const playbook = 'invoice-check';
    expect(shownCaseTitle({ title: 'Desks', playbook, alerts: [alert] })).toBe('Desks');
    expect(shownCaseTitle({ title: '', playbook, alerts: [{ ...alert, image }] })).toBe('An image');
    expect(shownCaseTitle({ title: '', playbook, alerts: [alert] })).toBe(playbook);
  });
});
