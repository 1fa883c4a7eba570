import type { Alert } from '@casefile/contracts';
import fc from 'fast-check';
import { extractFromMessage } from './extract-entities.js';
import { DEFAULT_REGIONS, phoneRegions, type Region } from './phone-regions.js';

type Sent = Pick<Alert, 'entities' | 'conversation' | 'source' | 'labels'>;
const settings = { options: {} };
const detecting =
  (code: string, certainty = 0.9) =>
  () =>
    Promise.resolve({ code, certainty });

async function phonesOf(text: string, alert: Sent, language = 'en', regions = DEFAULT_REGIONS) {
  const { entities, notes } = await extractFromMessage(
    text,
    { alert, settings },
    regions,
    detecting(language),
  );
  return { phones: entities['phone'] ?? [], notes };
}

describe('S1-02 the country of a phone number without a country code', () => {
  it.each<[from: string, text: string, alert: Sent, language: string, phone: string]>([
    ['a label', 'Call 030 12345678', { labels: { country: 'de' } }, 'en', '+493012345678'],
    [
      'the conversation',
      'Call 030 12345678',
      { conversation: 'whatsapp:+491511234567' },
      'en',
      '+493012345678',
    ],
    [
      'a label with a number',
      'Ring 08-123 456 78',
      { labels: { from: '+46 8 123 456 00' } },
      'en',
      '+46812345678',
    ],
    [
      'given entities',
      'call 01 23 45 67 89',
      { entities: { phone: ['+33612345678'] } },
      'en',
      '+33123456789',
    ],
    ['another number', 'From +44 7700 900142: call 020 7946 0018', {}, 'hi', '+442079460018'],
    ['the language', 'Bitte rufen Sie 030 12345678 an', {}, 'de', '+493012345678'],
    ['the language', 'Llame al 600 123 456', {}, 'es', '+34600123456'],
    ['the language', 'Call 98765 43210', {}, 'hi', '+919876543210'],
    ['the settings', 'Call 98765 43210', {}, 'en', '+919876543210'],
  ])('comes from %s: %s', async (_from, text, alert, language, phone) => {
    const { phones, notes } = await phonesOf(text, alert, language);
    expect(phones).toContain(phone);
    expect(notes.join()).toContain(`read as ${phone}`);
  });

  it('comes from the setting before the shipped countries', async () => {
    const own: Region[] = ['SG'];
    expect((await phonesOf('call 9123 4567', {}, 'en', own)).phones).toEqual(['+6591234567']);
  });

  it('is not taken from a language that was detected with doubt', async () => {
    const text = 'rufen 030 12345678';
    const read = await extractFromMessage(text, { alert: {}, settings }, ['IN'], detecting('de', 0.3));
    expect(read.entities['phone']).not.toContain('+493012345678');
  });

  it.each([
    'am 12.05.2026 um 10:30 Uhr, Rechnung 4711 2026',
    'am 12. 5. 2026 von 14-15 Uhr, PLZ 80331',
    'Ihr Code ist 482913, Betrag 1.234,56 EUR',
    'kl 14.30 den 2026-05-12, 19 kr',
  ])('makes no number of dates and amounts: %s', async (text) => {
    for (const country of ['DE', 'AT', 'SE', 'FI'])
      expect((await phonesOf(text, { labels: { country } }, 'de')).phones).toEqual([]);
  });

  it('falls back to the setting if the language cannot be detected, and notes it', async () => {
    const failing = () => Promise.reject(new Error('no model'));
    const read = await extractFromMessage('call 98765 43210', { alert: {}, settings }, ['IN'], failing);
    expect(read.entities['phone']).toEqual(['+919876543210']);
    expect(read.notes.join()).toContain('could not be detected');
  });

  it('never fails, whatever the labels and the text', async () => {
    const labels = fc.dictionary(fc.string(), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), labels, async (text, given) => {
        await expect(phonesOf(`${text} 030 12345678`, { labels: given }, 'de')).resolves.toBeDefined();
      }),
      { numRuns: 50 },
    );
  });

  it.each([[['XX']], [['in']], [[]], [['IN', 'US', 'GB', 'DE', 'FR', 'IT', 'ES', 'PT', 'NL']]])(
    'refuses the setting %j',
    (value) => expect(phoneRegions.safeParse(value).success).toBe(false),
  );
});
