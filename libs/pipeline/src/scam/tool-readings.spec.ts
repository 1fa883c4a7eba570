import { complaintsAmong } from './tool-readings.js';

const counts = (title: string, snippet = '', about = '+447700900123', url = 'https://forum.example/1') =>
  complaintsAmong([{ title, snippet, url, published: '' }], about).length === 1;

describe('S1-21 complaints on the web', () => {
  it.each([
    'Who called from 07700 900123? Scam caller',
    'Scammers use this number',
    'Complaint #4471: paid and never got the goods',
    'BEWARE: parcel fee text',
    'Do not trust this shop',
    'I lost my savings to them',
    'Police warn of calls from this number',
    'यह नंबर धोखाधड़ी करता है',
    'सावधान! इस नंबर से ठगी हो रही है',
    'फर्जी कॉल की शिकायत',
    'ye number fraud hai, sab savdhan rahen',
    'is number se dhokha hua, paise chale gaye',
    'farzi bank wala, thagi kar raha hai',
    'Shikayat darj karo iske khilaf',
  ])('counts: %s', (title) => {
    expect(counts(title)).toBe(true);
    expect(counts('A page', title)).toBe(true);
  });

  it.each([
    'Bright Smile Dental Practice',
    'Contact us - +447700900123',
    'Our complaints procedure and how to make a complaint',
    'Fraud prevention at your bank',
    'Is parcel-fee.com legit or a scam?',
    'Verified seller, not a scam, no complaints',
    'Comments, compliments and complaints',
    'Price tag and stage plans, scampi recipes, cheatah park',
    'दंत चिकित्सक, संपर्क करें',
    'dukaan subah 9 baje khulti hai, aage se daayein',
    'शिकायत निवारण प्रकोष्ठ',
  ])('does not count: %s', (title) => {
    expect(counts(title)).toBe(false);
  });

  it('does not count the own site of a domain, nor a word that stands in the value only', () => {
    expect(counts('Scam alert', '', 'shop.example', 'https://help.shop.example/scams')).toBe(false);
    expect(counts('Scam alert', '', 'https://shop.example/x', 'https://shop.example/scams')).toBe(false);
    expect(counts('Welcome to fraud-help.example', '', 'fraud-help.example')).toBe(false);
    expect(counts('fraud-help.example is a fraud', '', 'fraud-help.example')).toBe(true);
  });

  it('takes any text, in time that does not grow with it', () => {
    const odd = ['\u0000'.repeat(9_999), '('.repeat(100_000), 'is '.repeat(50_000), '\ud800'];
    expect(odd.map((text) => counts(text, text, ''))).toEqual([false, false, false, false]);
  });
});
