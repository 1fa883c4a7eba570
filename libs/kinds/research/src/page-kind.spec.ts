import { isOld, noArticle, pageMarks } from './page-kind.js';

const FACT = 'The dam at Northfield was closed on Tuesday after engineers found a crack.';

describe('texts that are no article', () => {
  it.each([
    ['paywall', 'To continue reading this article please subscribe.\nAlready a subscriber? Log in.'],
    ['paywall', 'This story is for subscribers only. Cancel at any time.'],
    ['paywall', 'Jetzt abonnieren und weiterlesen mit dem Digitalabo.'],
    ['paywall', 'Cet article est réservé aux abonnés. Déjà abonné ? Connectez-vous.'],
    ['paywall', 'この記事は会員限定です。続きを読むにはログインしてください。'],
    ['paywall', 'Il vous reste 85% de cet article à découvrir. Accédez à tous nos contenus. S’abonner'],
    [
      'paywall',
      'Testen Sie das Digitalabo vier Wochen für 1 Euro. Sie haben bereits ein Konto? Hier anmelden.',
    ],
    ['paywall', 'Artikel ini khusus pelanggan. Berlangganan sekarang untuk membaca selengkapnya.'],
    ['cookies', 'Laman ini menggunakan kuki. Terima semua kuki'],
    ['cookies', 'Utilizamos cookies próprios e de terceiros. Aceitar todos. Rejeitar.'],
    ['login', 'Sila log masuk. Lupa kata laluan?'],
    ['cookies', 'We and our 214 partners use cookies. Accept all cookies. Reject all.'],
    ['cookies', 'Wir verwenden Cookies. Alle akzeptieren'],
    ['login', 'Please log in to view this page. Forgot your password?'],
    ['blocked', 'Please enable JavaScript to continue.'],
    ['blocked', 'Just a moment... Checking your browser before you proceed.'],
    ['blocked', '404 page not found'],
  ])('are recognised as %s: %s', (kind, text) => expect(noArticle({ text })).toBe(kind));

  it.each([
    FACT,
    `${FACT} To continue reading this article please subscribe.`,
    `We use cookies. ${FACT}`,
    'The court ruled that sites must ask before they use cookies of other companies.',
    'The newspaper has had more subscribers since its paywall was lowered last year.',
    'Twelve people died.',
    'Os deputados vão rejeitar a proposta.',
    'Les billets sont en vente dès 10 €.',
    '冰岛将成为会员国。',
    '水庫的壩體星期二出現裂縫，因此暫停供水。',
    '',
  ])('are not confused with: %j', (text) => expect(noArticle({ text })).toBeNull());

  it('are looked for in linear time, whatever the text', () => {
    for (const piece of ['subscribe ', 'we and our ', 'cookie', 'a', '\n', 'この記事は', '['])
      expect(() => {
        noArticle({ text: piece.repeat(10_000) });
        noArticle({ text: piece.repeat(Math.floor(3_900 / piece.length)) });
        pageMarks({ name: piece.repeat(10_000), text: piece.repeat(10_000) });
      }).not.toThrow();
  });
});

describe('marks of a page', () => {
  const marks = (name: string, text = FACT) => pageMarks({ name, text });
  it.each([
    ['RETRACTED: Vitamin D and fractures', FACT, 'retracted'],
    ['Retraction notice to "Vitamin D and fractures"', FACT, 'retracted'],
    [
      'Vitamin D and fractures',
      `This article has been retracted at the request of the editor. ${FACT}`,
      'retracted',
    ],
    ['撤稿：維生素與骨折', FACT, 'retracted'],
    ['Retratação: vitamina D e fraturas', FACT, 'retracted'],
    ['Vitamina D e fraturas', `Este artigo foi retratado a pedido dos autores. ${FACT}`, 'retracted'],
    ['Ralat: tinggi bendungan', FACT, 'corrected'],
    ['Bendungan', `Artikel ini telah diperbaiki. ${FACT}`, 'corrected'],
    ['勘误：水坝高度', FACT, 'corrected'],
    ['Correction: the dam is 80 m high', FACT, 'corrected'],
    ['The dam', `${FACT} An earlier version of this article gave a wrong height.`, 'corrected'],
    ['Berichtigung: Höhe des Damms', FACT, 'corrected'],
    ['Dam elected mayor', `${FACT} This article is satire.`, 'satire'],
  ])('%s', (name, text, mark) => expect(marks(name, text)).toEqual([mark]));

  it.each([
    ['Withdrawn troops return home', FACT],
    ['Corrections officers strike', FACT],
    ['The senator retracted his words', FACT],
    ['The dam', 'The journal said that it will not retract the study.'],
  ])('none of %s', (name, text) => expect(marks(name, text)).toEqual([]));

  it('calls a source old that is more than two years older than the newest', () => {
    const newest = Date.parse('2026-01-05');
    expect(['2026-01-01', '2024-01-10', '2023-12-31', '2019', null].map((day) => isOld(day, newest))).toEqual(
      [false, false, true, true, false],
    );
    expect(isOld('2019', Number.NaN)).toBe(false);
  });
});
