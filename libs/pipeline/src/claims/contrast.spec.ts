import { checkClaim } from './index.js';

const sentences = (text: string): string[] => text.split(/(?<=[.。])\s+/u);

/** Compares a claim with one source of prose that it cites. */
const compared = (claim: string, text: string) =>
  checkClaim(
    claim,
    sentences(text).map((quote) => ({ id: 'E1', quote, text, sort: 'prose', at: null })),
    {
      dimensions: ['subject', 'quantity', 'time', 'state', 'scope', 'modality', 'comparison'],
    },
  );

describe('T-36 a claim against the other clauses of its source', () => {
  it.each([
    [
      'a time of another place',
      'The vote began at 20:00 in Lisbon.',
      'The vote began at 20:00 Athens time, 18:00 in Lisbon.',
    ],
    ['a time of another place', '會議在東京時間上午8點', '會議於巴黎時間上午8點舉行，東京時間為下午3點。'],
    [
      'a share of another place',
      '64% of the county voted yes.',
      'In the village Norr 64% voted yes; in the county 41% did.',
    ],
    [
      'the older of two values in one clause',
      'Ortiga tiene hoy 7.300 alumnos.',
      'Ortiga tenía 7.300 alumnos en 2009 y tiene 2.640 en 2025.',
    ],
    [
      'the figure of another firm',
      'Ravel lost 240 posts.',
      'Ravel lost 55 posts. The Boden works reports 240.',
    ],
    [
      'another thing of the same kind',
      'Le ministère interdit le produit Tarva.',
      'Le ministère interdit le produit Nolex. Le produit Tarva reste en vente.',
    ],
    [
      'another winner',
      'Delta Bau won the contract for the Rhone bridge.',
      'The canton gave the Rhone bridge to Kuster. Delta Bau won the Aare tunnel.',
    ],
    [
      'an older value',
      'Heute hat Weilmar 9.100 Einwohner.',
      '2010 hatte Weilmar 9.100 Einwohner; 2026 sind es 7.300.',
    ],
    [
      'an ended office',
      'Ana Ruiz leads the union.',
      'Ana Ruiz led the union until 2023. Since March 2026 Tom Pohl leads it.',
    ],
    ['an ended state', 'Il museo è chiuso.', 'Il museo, chiuso nel 2024, è aperto dal 3 maggio 2026.'],
    ['a negated verb', 'Die Schule wird verkauft.', 'Die Schule wird nicht verkauft; der Hof wird saniert.'],
    ['a negated verb', 'La fábrica cierra en Toledo.', 'La fábrica no cierra en Toledo; cambia de dueño.'],
    ['a part of the whole', 'All ferries are late.', 'Of the 40 ferries, 2 are late.'],
    [
      'a part of the whole',
      'Toutes les écoles ferment pour la semaine.',
      'Deux des 31 écoles ferment pour la semaine.',
    ],
    ['a comparison turned round', 'Kiel spends more than Bern.', 'Bern spends more than Kiel.'],
  ])('contradicts %s: %s', (_sort, claim, text) => {
    expect([claim, compared(claim, text).result]).toEqual([claim, 'contradicted']);
  });

  it.each([
    ['The vote began at 18:00 in Lisbon.', 'The vote began at 20:00 Athens time, 18:00 in Lisbon.'],
    ['41% of the county voted yes.', 'In the village Norr 64% voted yes; in the county 41% did.'],
    ['Ravel lost 55 posts.', 'Ravel lost 55 posts. The Boden works reports 240.'],
    [
      'Le ministère interdit le produit Nolex.',
      'Le ministère interdit le produit Nolex. Le produit Tarva reste en vente.',
    ],
    ['Heute hat Weilmar 7.300 Einwohner.', '2010 hatte Weilmar 9.100 Einwohner; 2026 sind es 7.300.'],
    [
      'Tom Pohl leads the union since March 2026.',
      'Ana Ruiz led the union until 2023. Since March 2026 Tom Pohl leads it.',
    ],
    ['Il museo è aperto.', 'Il museo, chiuso nel 2024, è aperto dal 3 maggio 2026.'],
    ['Die Schule wird nicht verkauft.', 'Die Schule wird nicht verkauft; der Hof wird saniert.'],
    ['2 of the 40 ferries are late.', 'Of the 40 ferries, 2 are late.'],
    ['Bern spends more than Kiel.', 'Bern spends more than Kiel.'],
    [
      'First reports spoke of 60 injured.',
      'First reports spoke of 60 injured. The hospital corrected the number to 14.',
    ],
  ])('does not contradict what the source states: %s', (claim, text) => {
    expect([claim, compared(claim, text).parts.filter(({ result }) => result === 'contradicted')]).toEqual([
      claim,
      [],
    ]);
  });
});
