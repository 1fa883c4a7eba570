import { CasefileError, type JsonObject } from '@casefile/contracts';
import fc from 'fast-check';
import { detectLanguage, type Identify } from '@casefile/pipeline/language/detect-language';
import { options } from './options.js';
import { routeMessage } from './route-message.js';

const route = async (text: string, given: JsonObject = {}, identify?: Identify) =>
  routeMessage(text, options.read(given), identify);

const saying =
  (language: string, probability = 0.9): Identify =>
  async () => ({ language, probability });

describe('S3-01 routing by language', () => {
  it.each([
    ['en', 'Please verify your account before it is closed tomorrow evening'],
    ['hi', 'आपका खाता आज रात बंद हो जाएगा, तुरंत केवाईसी करें'],
    ['hi-Latn', 'Sir aapka bijli connection aaj raat kat jayega, turant is number pe call kijiye'],
    ['hi-Latn', 'bhai kya kar raha hai, kal milte hain'],
    ['hi', 'आपका SBI account block हो गया है, यहाँ click करें'],
  ])('S3-01 %s is normal: %s', async (code, text) => {
    const routing = await route(text);
    expect(routing).toMatchObject({ mode: 'normal', language: { code } });
    expect(routing.language.certainty).toBeGreaterThan(0.4);
  });

  it.each([
    ['es', 'Su cuenta ha sido bloqueada, por favor haga clic en el enlace para verificar'],
    ['pt', 'A sua encomenda está retida na alfândega, pague a taxa para receber hoje'],
    ['fr', 'Votre colis est en attente, veuillez payer les frais de livraison'],
    ['de', 'Ihr Konto wurde gesperrt, bitte bestätigen Sie Ihre Daten sofort'],
    ['tr', 'Hesabınız askıya alındı, lütfen bilgilerinizi hemen doğrulayın'],
    ['id', 'Selamat anda memenangkan hadiah, segera hubungi nomor ini untuk mengambilnya'],
    ['vi', 'Tài khoản của bạn đã bị khóa, vui lòng xác minh ngay hôm nay'],
    ['ta', 'உங்கள் வங்கிக் கணக்கு முடக்கப்பட்டுள்ளது'],
    ['te', 'మీ బ్యాంకు ఖాతా నిలిపివేయబడింది'],
    ['bn', 'আপনার অ্যাকাউন্ট বন্ধ করা হয়েছে, এখনই যাচাই করুন'],
    ['ur', 'آپ کا اکاؤنٹ بند کر دیا گیا ہے، فوری تصدیق کریں'],
    ['ar', 'تم تعليق حسابك البنكي، يرجى تحديث بياناتك فورا'],
    ['ru', 'Ваша карта заблокирована, срочно позвоните в банк'],
    ['zh', '您的账户已被冻结，请立即点击链接验证'],
    ['ja', 'お客様のアカウントは停止されました。今すぐ確認してください'],
    ['ko', '귀하의 계좌가 정지되었습니다. 지금 확인하세요'],
    ['mr', 'तुमचे बँक खाते बंद झाले आहे, कृपया त्वरित माहिती द्या'],
  ])('S3-01 %s is strict: %s', async (code, text) => {
    await expect(route(text)).resolves.toMatchObject({ mode: 'strict', language: { code } });
  });

  it.each([
    '',
    ' ',
    'x',
    '👍👍🎉',
    '123456 +44 7700 900123',
    'https://pay.example/x',
    '\u202e\u2066\u200b',
    '!!!',
  ])('S3-01 S3-20 what cannot be told is strict, with its certainty: %j', async (text) => {
    const routing = await route(text, {}, saying('en', 0.1));
    expect(routing).toMatchObject({ mode: 'strict', language: { code: 'und' } });
    expect(routing.language.certainty).toBeLessThan(0.45);
  });

  it('S3-01 the set of normal languages and the least certainty are configuration', async () => {
    const text = 'Votre colis est en attente';
    const french = saying('fr', 0.6);
    await expect(route(text, { normalLanguages: ['fr'] }, french)).resolves.toMatchObject({
      mode: 'normal',
    });
    const sure = { normalLanguages: ['fr'], minCertainty: 0.7 };
    await expect(route(text, sure, french)).resolves.toMatchObject({
      mode: 'strict',
      language: { code: 'und', certainty: 0.6 },
    });
    await expect(route(text, { minCertainty: 7 })).rejects.toMatchObject({ reasonCode: 'invalid_input' });
  });

  it('S3-01 English and Hindi in one message weigh together; a strict language that leads keeps it strict', async () => {
    const mixed = 'Your parcel waits at the office केवाईसी अपडेट करें तुरंत';
    const english: Identify = async (words) => ({
      language: /[a-z]/.test(words) ? 'en' : 'hi',
      probability: 0.8,
    });
    await expect(route(mixed, { minCertainty: 0.7 }, english)).resolves.toMatchObject({
      mode: 'normal',
    });
    const tamil = 'உங்கள் வங்கிக் கணக்கு முடக்கப்பட்டுள்ளது please call now';
    await expect(route(tamil, {}, english)).resolves.toMatchObject({
      mode: 'strict',
      language: { code: 'ta' },
    });
  });

  it('S3-41 a language that could not be looked for is undetermined and strict, with the failure', async () => {
    const fails: Identify = () => Promise.reject(new CasefileError('no_identifier', 'no model'));
    const language = { code: 'und', certainty: 0, failure: 'no_identifier' };
    await expect(route('Please verify your account', {}, fails)).resolves.toEqual({
      mode: 'strict',
      language,
    });
    // It is not asked about a script that one language has, nor about Hindi by its words.
    const tamil = await route('உங்கள் வங்கிக் கணக்கு', {}, fails);
    expect(tamil).toMatchObject({ mode: 'strict', language: { code: 'ta' } });
    const hindi = await route('kya kar rahe ho, kal milte hain', {}, fails);
    expect(hindi).toMatchObject({ mode: 'normal', language: { code: 'hi-Latn' } });
    expect(tamil.language.failure ?? hindi.language.failure).toBeUndefined();
  });

  it('S3-01 hundreds of thousands of characters are looked at in their beginning only', async () => {
    const asked: string[] = [];
    const identify: Identify = async (words) => {
      asked.push(words);
      return { language: 'en', probability: 0.9 };
    };
    await route('pay now '.repeat(50_000), {}, identify);
    expect(asked[0]!.length).toBeLessThanOrEqual(2_000);
  });

  it('S3-01 any text has a mode and a certainty of 0 to 1, the same each time', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme' }));
    await fc.assert(
      fc.asyncProperty(text, async (message) => {
        const first = await route(message);
        expect(['normal', 'strict']).toContain(first.mode);
        expect(first.language.certainty).toBeGreaterThanOrEqual(0);
        expect(first.language.certainty).toBeLessThanOrEqual(1);
        expect(await route(message)).toEqual(first);
      }),
      { numRuns: 200 },
    );
  });

  it('S3-01 words of links, addresses and hidden characters say nothing about the language', async () => {
    const { weights } = await detectLanguage('https://kya.hai.example/aapka?nahi=hai', saying('en', 0.2));
    expect(weights['hi-Latn']).toBeUndefined();
  });
});
