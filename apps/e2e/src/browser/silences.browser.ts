import { openPage } from './watched-page.js';
import type { Stage } from './stage.js';
import { problemsAtWidths } from './widths.js';

/** What people do with silences on the page Destinations. */
export function silencesAlerts(stage: Stage): void {
  it('creates a silence by keyboard, shows it on the page Home, and ends it', async () => {
    const { page, offences, close } = await openPage(stage.browser, stage.origin, { baseURL: stage.origin });
    await page.goto('/operate/destinations');
    const section = page.getByRole('region', { name: 'Silences' });
    await section.getByRole('button', { name: 'Add a silence' }).press('Enter');
    const form = section.getByRole('form', { name: 'Add a silence' });
    // The matchers have the focus.
    await page.keyboard.type('instance=~db-.*');
    await form.getByLabel('Reason').fill('A move of the database');
    await form.getByLabel('Reason').press('Enter');
    await form.getByText('at least one matcher with an exact value').waitFor();
    await form.getByLabel('Matchers').fill('service=a-silenced-service\ninstance=~db-.*');
    await form.getByRole('button', { name: 'Silence', exact: true }).press('Enter');
    await section.getByText('service=a-silenced-service, instance=~db-.*').waitFor();
    expect(await problemsAtWidths(page, '/operate/destinations', 'light')).toEqual([]);
    await page.goto('/');
    const home = page.getByRole('region', { name: 'Open silences' });
    await home.getByText('0 messages withheld').waitFor();
    expect(await problemsAtWidths(page, '/', 'light')).toEqual([]);
    await home.getByRole('link', { name: 'All silences' }).click();
    await section.getByRole('button', { name: 'End now: service=a-silenced-service' }).click();
    await section.getByText('over', { exact: true }).waitFor();
    expect(offences).toEqual([]);
    await close();
  });
}
