import fc from 'fast-check';
import type { ClaimDimension } from '@casefile/contracts';
import { CLAIM_DIMENSIONS } from '@casefile/contracts';
import {
  checkClaim,
  claimLanguage,
  isSameMeasure,
  isUnspliced,
  measuresIn,
  timesIn,
  type CitedSpan,
} from './index.js';

const START = '2026-05-04T10:00:00Z';
const lines = (text: string, quote: string, more: Partial<CitedSpan> = {}): CitedSpan => ({
  id: 'E1',
  quote,
  text,
  sort: 'lines',
  at: '2026-05-04T10:20:00Z',
  ...more,
});
const prose = (text: string, quote = text, more: Partial<CitedSpan> = {}): CitedSpan => ({
  ...lines(text, quote),
  sort: 'prose',
  ...more,
});
const causeOf = (claim: string, ...spans: CitedSpan[]) =>
  checkClaim(claim, spans, {
    dimensions: CLAIM_DIMENSIONS,
    aliases: ['invoice', 'inv-db'],
    startsAt: START,
    about: 'cause',
  });
const stated = (claim: string, ...spans: CitedSpan[]) =>
  checkClaim(claim, spans, { dimensions: CLAIM_DIMENSIONS });
const contradictedBy = ({ parts }: { parts: { dimension: ClaimDimension; result: string }[] }) =>
  parts.filter(({ result }) => result === 'contradicted').map(({ dimension }) => dimension);

describe('typed claims', () => {
  const POOLS = 'invoice 6 of 60 connections used\nparcel 60 of 60 connections used';
  it.each<[string, ClaimDimension, ReturnType<typeof causeOf>]>([
    [
      'the line of another service',
      'subject',
      causeOf('The connections of invoice are used up', lines(POOLS, '60 of 60 connections used')),
    ],
    [
      'the same, in German',
      'subject',
      causeOf('Alle Verbindungen von invoice sind belegt', lines(POOLS, '60 of 60 connections used')),
    ],
    [
      'the same, on one line',
      'subject',
      causeOf(
        'invoice has no connections left',
        lines(POOLS.replace('\n', ' / '), '60 of 60 connections used'),
      ),
    ],
    [
      'another unit of time',
      'quantity',
      causeOf('Queries of inv-db take 820 ms', lines('10:02 inv-db query p95 820 us', 'p95 820 us')),
    ],
    [
      'another currency',
      'quantity',
      stated('The levy is 40 euros', prose('The levy is 40 dollars a night.')),
    ],
    [
      'a limit that minutes do not reach',
      'quantity',
      stated('The delay was more than 4 hours', prose('The train had a delay of 190 minutes.')),
    ],
    [
      'an old error',
      'time',
      causeOf(
        'invoice fails: token expired',
        lines('2026-04-27T08:00:00Z invoice token rejected: expired', 'token rejected: expired'),
      ),
    ],
    [
      'a change after the fault',
      'order',
      causeOf(
        'The new flag of invoice broke it',
        lines(
          '2026-05-04T20:30:00+09:00 flag fast-tax of invoice enabled',
          'flag fast-tax of invoice enabled',
        ),
      ),
    ],
    [
      'a backup that began later',
      'order',
      causeOf(
        'The backup slows inv-db down',
        lines('10:25 backup of inv-db started', 'backup of inv-db started'),
      ),
    ],
    [
      'a job that the next line calls skipped',
      'modality',
      causeOf(
        'Job reindex-7 locks inv-db',
        lines(
          '09:58 reindex-7 on inv-db begins\n09:59 reindex-7 skipped: nothing to do',
          'reindex-7 on inv-db begins',
        ),
      ),
    ],
    [
      'a report that was taken back',
      'modality',
      causeOf(
        'Replica inv-db-3 of inv-db is lost',
        lines(
          '09:58 inv-db-3 reported lost\n10:05 correction: inv-db-3 was attached all the time',
          'inv-db-3 reported lost',
        ),
      ),
    ],
    [
      'the same, in Spanish',
      'modality',
      causeOf(
        'Se perdió la réplica inv-db-3',
        lines(
          '09:58 réplica inv-db-3 perdida\n10:05 rectificación: inv-db-3 nunca se perdió',
          'réplica inv-db-3 perdida',
        ),
      ),
    ],
    [
      'the same, in Chinese',
      'modality',
      causeOf(
        '副本 inv-db-3 丢失',
        lines('09:58 副本 inv-db-3 丢失\n10:05 更正：inv-db-3 一直在线，误报', '副本 inv-db-3 丢失'),
      ),
    ],
    [
      'a test tenant for all',
      'scope',
      causeOf(
        'All users of invoice get errors',
        lines('10:01 invoice test tenant: 40 % of requests fail', 'test tenant: 40 % of requests fail'),
      ),
    ],
    [
      'an empty result',
      'state',
      causeOf(
        'The network card of invoice is broken',
        lines('no traces found for invoice', 'no traces found'),
      ),
    ],
    [
      'a plan',
      'modality',
      stated(
        'The council approved the tram line',
        prose('The council will consider the tram line in autumn.'),
      ),
    ],
    [
      'a plan, in German',
      'modality',
      stated('Der Rat hat die neue Linie genehmigt', prose('Der Rat berät im Herbst über die neue Linie.')),
    ],
    [
      'an order turned round',
      'comparison',
      stated('Norvik has fewer nurses than Halden', prose('Halden has fewer nurses than Norvik.')),
    ],
    [
      'a half turned round',
      'comparison',
      stated('Norvik has half the nurses of Halden', prose('Halden has half the nurses of Norvik.')),
    ],
    [
      'figures compared wrongly',
      'comparison',
      stated('15 days are shorter than 12 days', prose('The repair took 15 days.')),
    ],
  ])('T-36 contradicts %s (%s)', (_, dimension, checked) => {
    expect(contradictedBy(checked)).toContain(dimension);
    expect(checked.result).toBe('contradicted');
  });

  it.each<[string, ReturnType<typeof causeOf>]>([
    [
      'the line of its service',
      causeOf('The connections of parcel are used up', lines(POOLS, '60 of 60 connections used')),
    ],
    [
      'another unit of the same value',
      causeOf('Queries of inv-db take 0.82 s', lines('10:02 inv-db query p95 820 ms', 'p95 820 ms')),
    ],
    [
      'a share for n of m',
      causeOf(
        '95 % of the uploads of invoice fail',
        lines('invoice uploads failed: 611 of 640', '611 of 640'),
      ),
    ],
    [
      'a limit that minutes reach',
      stated('The delay was more than 3 hours', prose('The train had a delay of 190 minutes.')),
    ],
    [
      'a change before the fault, in another zone',
      causeOf(
        'The new flag of invoice broke it',
        lines(
          '2026-05-04T18:55:00+09:00 flag fast-tax of invoice enabled',
          'flag fast-tax of invoice enabled',
        ),
      ),
    ],
    [
      'an old state that lasts',
      causeOf(
        'The clock daemon of invoice is dead',
        lines('invoice chronyd inactive since 2026-04-27', 'chronyd inactive since 2026-04-27'),
      ),
    ],
    [
      'a job that ran',
      causeOf(
        'Job reindex-7 locks inv-db',
        lines(
          '09:58 reindex-7 on inv-db begins\n09:59 reindex-8 skipped: nothing to do',
          'reindex-7 on inv-db begins',
        ),
      ),
    ],
    [
      'all tenants',
      causeOf(
        'All users of invoice get errors',
        lines('10:01 invoice all tenants: 40 % of requests fail', 'all tenants: 40 % of requests fail'),
      ),
    ],
    [
      'a German cause over English lines',
      causeOf(
        'Der Speicher von invoice ist erschöpft',
        lines('10:01 invoice heap 1024 MB of 1024 MB', 'heap 1024 MB'),
      ),
    ],
    [
      'a plan reported as plan',
      stated('The council plans the tram line', prose('The council will consider the tram line in autumn.')),
    ],
    [
      'an order',
      stated('Halden has fewer nurses than Norvik', prose('Halden has fewer nurses than Norvik.')),
    ],
    [
      'the reverse of an order',
      stated('Norvik has more nurses than Halden', prose('Halden has fewer nurses than Norvik.')),
    ],
  ])('T-36 holds: %s', (_, { parts, result }) => {
    expect(contradictedBy({ parts })).toEqual([]);
    expect(result).toBe('holds');
  });

  it.each<[string, ReturnType<typeof causeOf>]>([
    [
      'irrelevant words',
      causeOf('A foreign botnet attacks', lines('10:03 container restarted', 'container restarted')),
    ],
    [
      'an unknown language',
      causeOf(
        'Andmebaasi ketas on täis ja see on põhjus',
        lines('10:03 status 200 in 30 ms', 'status 200 in 30 ms'),
      ),
    ],
    [
      'another script',
      causeOf(
        '데이터베이스 디스크가 가득 찼습니다',
        lines('10:03 status 200 in 30 ms', 'status 200 in 30 ms'),
      ),
    ],
  ])('T-40 is not checked: %s', (_, { result }) => {
    expect(result).toBe('not_checked');
  });
});

describe('quotes', () => {
  const LOG = '10:01 search index\n10:02 rebuild failed for the wiki';
  it.each([
    [lines(LOG, 'rebuild failed for the wiki'), true],
    [lines(LOG, 'search index rebuild failed for the wiki'), false],
    [lines(LOG, 'search index\n10:02 rebuild failed'), false],
    [lines('{\n "ready": 0,\n "desired": 4\n}', '"ready": 0, "desired": 4'), true],
    [prose('She said the plan\nwas fine. It costs money.', 'the plan was fine'), true],
    [prose('She said no. The plan is fine.', 'no. The plan is fine'), false],
    [prose('She said no. The plan is fine.', 'She said no. The plan is fine.'), true],
  ])('T-38 stay within one line, or within sentences: %#', (span, isWhole) => {
    expect(isUnspliced(span)).toBe(isWhole);
  });
});

describe('measures and times', () => {
  it.each([
    ['650 us', '0.65 ms', true],
    ['650 us', '650 ms', false],
    ['34.8 %', '0.348', true],
    ['150 min', '2.5 hours', true],
    ['1,5 GB', '1500 MB', true],
    ['2 Stunden', '120 minutes', true],
    ['3 часа', '180 минут', true],
    ['90分', '5400 s', false],
    ['90 分钟', '1.5 h', true],
    ['2 million EUR', '€2m', true],
    ['40 EUR', '40 USD', false],
  ])('%s and %s', (a, b, isSame) => {
    const [one] = measuresIn(a);
    const [other] = measuresIn(b);
    expect(isSameMeasure(one!, other!)).toBe(isSame);
  });

  it('reads times with zones and ranges', () => {
    const near = Date.parse(START);
    const read = (text: string) =>
      timesIn(text, near).map(({ ms }) => new Date(ms).toISOString().slice(0, 16));
    expect(read('2026-05-04T18:55:00+09:00 and 18:55 JST')).toEqual(['2026-05-04T09:55', '2026-05-04T09:55']);
    expect(read('09:15-09:25 3 failed')).toEqual(['2026-05-04T09:15', '2026-05-04T09:25']);
    expect(read('heap 09:00 612 09:05 811')).toEqual(['2026-05-04T09:00', '2026-05-04T09:05']);
    expect(read('retired 2026-04-20')).toEqual(['2026-04-20T23:59']);
  });
});

describe('the language of a claim', () => {
  it.each([
    ['The disk of the primary is full', 'en', false],
    ['Die Festplatte der Datenbank ist voll', 'de', false],
    ['El disco de la base de datos está lleno', 'es', false],
    ['Le disque de la base est plein', 'fr', false],
    ['Dysk bazy danych jest pełny', 'pl', false],
    ['Диск базы данных заполнен', 'ru', false],
    ['数据库磁盘已满', 'zh', false],
    ['データベースのディスクが満杯です', 'ja', false],
    ['Tietokannan levy on täynnä ja se oli syy', null, true],
    ['Andmebaasi ketas on täis ja see on põhjus', null, true],
    ['Veritabanı diski dolu ve bu bir neden', null, true],
    ['قاعدة البيانات ممتلئة', null, true],
    ['disk 97 %', null, false],
  ])('%s', (text, code, isUnread) => {
    expect(claimLanguage(text)).toMatchObject(code === 'ru' ? { isUnread } : { code, isUnread });
  });
});

describe('long texts', () => {
  it('reads a bounded part of each source', () => {
    const line = '10:01 invoice heap 1,024 MB of 1,024 MB; retry 3 of 9 skipped, 0 results / 12 ms\n';
    const text = line.repeat(40_000);
    const { parts, result } = causeOf('x '.repeat(5_000), lines(text, 'heap 1,024 MB'));
    expect(result).toBe('not_checked');
    expect(parts.length).toBeLessThan(20);
  });

  it('gives each part a result and a source that was cited', () => {
    const words = fc.constantFrom(
      'invoice',
      'down',
      '12 ms',
      '0.3 %',
      '10:04',
      'skipped',
      'canary',
      'all',
      '故障',
      '\n',
      ';',
      'no results',
      '2026-05-04T09:00+09:00',
      'more',
      'than',
      '{"a":',
      'не',
      '．',
      '\u{1f600}',
    );
    const texts = fc.array(words, { maxLength: 60 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(texts, texts, fc.nat(40), (claim, text, from) => {
        const { parts, result } = causeOf(claim, lines(text, text.slice(from, from + 20)), prose(text));
        const results = parts.map((one) => one.result);
        expect(result).toBe(results.includes('contradicted') ? 'contradicted' : result);
        expect(parts.every(({ source }) => source === null || source === 'E1')).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
