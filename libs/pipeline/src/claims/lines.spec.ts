import { CLAIM_DIMENSIONS } from '@casefile/contracts';
import { checkClaim, timesIn } from './index.js';

const START = '2026-05-04T10:00:00Z';
const causeOf = (claim: string, text: string, quote: string) =>
  checkClaim(claim, [{ id: 'E1', quote, text, sort: 'lines', at: '2026-05-04T10:20:00Z' }], {
    dimensions: CLAIM_DIMENSIONS,
    aliases: ['orders'],
    startsAt: START,
    about: 'cause',
  });

const PIPES = '10:04 pipe 1: 40 l/s, pipe 2: 9 l/s';

describe('T-36 causes compared with lines', () => {
  it.each([
    [
      'more, although the values are less',
      'comparison',
      'pipe 2 carries more than pipe 1',
      PIPES,
      'pipe 2: 9 l/s',
    ],
    [
      'in German',
      'comparison',
      'Halle 3 hat weniger Pressen als Halle 4',
      'Halle 3 15 Pressen, Halle 4 6 Pressen',
      'Halle 4 6 Pressen',
    ],
    ['in Chinese', 'comparison', '乙線的產量高於甲線', '10:03 甲線 70 件，乙線 12 件', '乙線 12 件'],
    [
      'a zone that an id names',
      'order',
      'The new tariff table broke orders',
      'tariff table of orders deployed 2026-05-04 09:30 America/Sao_Paulo',
      'tariff table of orders deployed',
    ],
    [
      'a zone that a city names',
      'order',
      'El cambio de reglas rompe orders',
      'cambio de reglas de orders 07:20 (hora de Lima)',
      'cambio de reglas de orders',
    ],
    [
      'a zone that a city names, in Chinese',
      'order',
      '規則調整造成 orders 中斷',
      '規則調整 orders 2026-05-04 22:30 東京時間',
      '規則調整 orders',
    ],
    [
      'a plan without a word for what was done',
      'modality',
      '資料表搬到新機房造成中斷',
      '預計明天把資料表搬到新機房',
      '資料表搬到新機房',
    ],
    [
      'the next line begins with a correction',
      'modality',
      'La vanne principale est restée fermée depuis midi',
      '09:50 vanne principale fermée depuis midi\n09:55 erratum : vanne ouverte, essai du capteur',
      'vanne principale fermée depuis midi',
    ],
  ])('contradicts %s (%s)', (_, dimension, claim, text, quote) => {
    const { parts, result } = causeOf(claim, text, quote);
    expect(parts.filter((one) => one.result === 'contradicted').map((one) => one.dimension)).toContain(
      dimension,
    );
    expect(result).toBe('contradicted');
  });

  it.each([
    ['more, as the values say', 'pipe 1 carries more than pipe 2', PIPES, 'pipe 1: 40 l/s'],
    [
      'a change before the start in the zone of a city',
      'El cambio de reglas rompe orders',
      'cambio de reglas de orders 04:40 (hora de Lima)',
      'cambio de reglas de orders',
    ],
    [
      'a change before the start with a reading after it',
      'The rules of orders were changed',
      'orders rules changed 09:40, errors 10:30',
      'orders rules changed',
    ],
    [
      'a line behind a correction of another subject',
      'Disk sdb of orders failed',
      '09:50 orders disk sdb failed\n09:55 correction: rack door closed',
      'orders disk sdb failed',
    ],
  ])('leaves %s', (_, claim, text, quote) => {
    expect(causeOf(claim, text, quote).result).toBe('holds');
  });

  it('reads times in zones that ids and cities name, in summer and in winter', () => {
    const at = (text: string) => timesIn(text, Date.parse(START)).map(({ ms }) => new Date(ms).toISOString());
    expect(at('2026-07-01 12:00 Europe/London')).toEqual(['2026-07-01T11:00:00.000Z']);
    expect(at('2026-01-01 12:00 Europe/London')).toEqual(['2026-01-01T12:00:00.000Z']);
    expect(at('12:00 Tokyo time')).toEqual(['2026-05-04T03:00:00.000Z']);
    expect(at('12:00 nowhere time')).toEqual(['2026-05-04T12:00:00.000Z']);
  });
});
