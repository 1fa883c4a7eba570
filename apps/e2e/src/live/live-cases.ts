import type { JsonObject } from '@casefile/contracts';
import { sampleBundles } from '../testing/sample-policy.js';

/** One case of the live suite: its alert, and the outcomes that a person would accept. */
export interface LiveCase {
  name: string;
  playbook: string;
  alert: JsonObject;
  /** Accepted outcomes, in the playbook's own words. */
  accepts: readonly string[];
  /** Whether the model must call tools. */
  callsTools?: boolean;
}

const ENGLISH =
  'Your account is blocked. Call +1 650 253 0000 within the hour or log in at http://secure-login.example';
const HINDI =
  'आपका बैंक खाता आज बंद हो जाएगा। तुरंत +91 98765 43210 पर कॉल करें या http://secure-login.example पर केवाईसी पूरा करें';
const reports = (reportCount: number) => ({
  toolName: 'scam_db',
  entityType: 'phone',
  entityValue: '+16502530000',
  result: {
    found: reportCount > 0,
    reportCount,
    riskScore: reportCount > 0 ? 90 : 0,
    firstReportedAt: null,
    lastReportedAt: null,
  },
});
const complaints = (count: number) => ({
  toolName: 'exa_search',
  entityType: 'phone',
  entityValue: '+16502530000',
  result: {
    results: Array.from({ length: count }, (_, i) => ({
      title: `Complaint ${i + 1}: caller claims to be the bank`,
      url: `https://forum${i + 1}.example/complaint`,
    })),
  },
});
const domain = (riskLevel: string, virustotalMalicious: number, ageDays: number) => ({
  toolName: 'domain_reputation',
  entityType: 'domain',
  entityValue: 'secure-login.example',
  result: { riskLevel, virustotalMalicious, ageDays },
});

const verdict = (name: string, text: string, evidence: object[], accepts: string[]): LiveCase => ({
  name,
  playbook: 'scam-verdict',
  accepts,
  alert: { playbook: 'scam-verdict', text, evidence: evidence as JsonObject[], collect: false },
});
const screening = (name: string, text: string, accepts: string[]): LiveCase => ({
  name,
  playbook: 'message-screening',
  accepts,
  alert: { playbook: 'message-screening', text },
});
const lookUp = (toolName: string, entityValue: string, result: string) => ({
  toolName,
  entityType: 'query',
  entityValue,
  result,
});
const incident = (name: string, payload: JsonObject, evidence: object[], accepts: string[]): LiveCase => ({
  name,
  playbook: 'incident',
  accepts,
  alert: { playbook: 'incident', payload, evidence: evidence as JsonObject[], collect: false },
});
const page = (site: string, published: string, text: string) => ({
  url: `https://${site.toLowerCase().replaceAll(' ', '-')}.example/${published}`,
  site,
  name: text.split(/[.。]/)[0] ?? text,
  published,
  text,
});
const research = (name: string, query: string, items: JsonObject[], accepts: string[]): LiveCase => ({
  name,
  playbook: 'research',
  accepts,
  alert: { playbook: 'research', payload: { query, sourceMode: 'discovery', items } },
});
/** Returns a sample case against the sample policy. Tool calls look up each of its criteria. */
function check(name: string, id: string, accepts: string[]): LiveCase {
  const payload = sampleBundles.find((bundle) => bundle['id'] === id);
  if (payload === undefined) throw new Error(`the samples have no case ${id}`);
  return {
    name,
    playbook: 'policy-check',
    accepts,
    callsTools: true,
    alert: { playbook: 'policy-check', payload },
  };
}

/**
 * Evidence that is strong, weak, conflicting or missing, in several languages, for every kind of case (S1-61,
 * S1-63, T-30).
 */
export const LIVE_CASES: readonly LiveCase[] = [
  verdict('strong evidence', ENGLISH, [reports(47), complaints(12), domain('high', 14, 3)], ['high']),
  verdict('weak evidence', ENGLISH, [reports(0), complaints(2)], ['unconfirmed', 'medium', 'high']),
  verdict(
    'conflicting evidence',
    ENGLISH,
    [reports(0), complaints(0), domain('high', 9, 5)],
    ['unconfirmed', 'medium', 'high'],
  ),
  verdict('no evidence', ENGLISH, [], ['unconfirmed', 'medium', 'high']),
  verdict('Hindi, strong evidence', HINDI, [reports(47), domain('high', 14, 3)], ['high']),
  screening(
    'a known pattern, English',
    'Dear customer, your KYC has expired and your account will be blocked today. Verify now at http://kyc-update.example',
    ['engage', 'probe'],
  ),
  screening('a known pattern, Hindi', HINDI, ['engage', 'probe']),
  screening(
    'a known pattern, romanised Hindi',
    'Aapka bank account aaj band ho jayega, turant KYC update karein http://kyc-update.example par apna OTP bhejein',
    ['engage', 'probe'],
  ),
  screening(
    'a language without patterns',
    'Aviso urgente: su paquete está retenido. Pague 1,99 hoy en http://paquete-pago.example o será devuelto',
    ['engage', 'probe', 'ignore'],
  ),
  screening('harmless', 'Are we still on for lunch tomorrow at noon? The place by the station.', ['ignore']),
  check('strong: facts that meet the policy', 'pc-01', ['MET']),
  check('conflicting: some criteria met, some broken', 'pc-02', ['NOT_MET']),
  check('weak: a needed fact is in doubt', 'pc-04', ['UNCERTAIN']),
  check('none: what the policy asks for is not on file', 'pc-07', ['UNCERTAIN', 'NOT_MET']),
  incident(
    'strong: look-ups show the cause',
    {
      title: 'Basket answers 503',
      severity: 'critical',
      service: 'basket',
      summary: '91 % of requests fail',
    },
    [
      lookUp('logs__search', 'basket', '10:16:55 FATAL cannot parse config: field "currency_table" missing'),
      lookUp('metrics__query', 'basket 5xx', '10:12 0.0\n10:13 4.2\n10:14 88.7\n10:16 90.4'),
    ],
    ['page'],
  ),
  incident(
    'weak: a queue that drains as planned',
    { title: 'Queue depth of mailer', severity: 'warning', summary: '60,000 mails are waiting' },
    [
      lookUp('metrics__query', 'mailer_queue_depth', '09:05 88000\n09:10 79000\n09:15 69500\n09:20 60200'),
      lookUp('calendar__events', 'marketing', 'Newsletter May, 88,000 readers, 09:00'),
    ],
    ['no-action', 'ticket'],
  ),
  incident(
    'conflicting: the site answers and sells nothing',
    { title: 'Orders per minute', severity: 'critical', summary: '0 orders in 10 minutes' },
    [
      lookUp('http__get', 'https://www.shop.example/', '200 in 240 ms'),
      lookUp('logs__search', 'web', 'ReferenceError: checkoutButton is not defined (2210 in 10 min)'),
    ],
    ['page'],
  ),
  incident(
    'none: no look-up answers',
    { title: 'High memory on build-cache-1', severity: 'warning', summary: '93 % for 5 minutes' },
    [],
    ['ticket'],
  ),
  research(
    'strong: an official source, Chinese',
    '海山核電廠3號機在5月8日因為冷卻水管破裂而停機，是真的嗎？',
    [
      page(
        '中央社',
        '2026-05-08',
        '核安會8日說明，海山核電廠3號機冷卻水管下午破裂，機組安全停機。輻射監測值沒有變化。',
      ),
      page('聯合報', '2026-05-09', '海山核電廠3號機因冷卻水管破裂停機，台灣電力9日提出檢修時程。'),
    ],
    ['High', 'Medium'],
  ),
  research(
    'conflicting: two figures, Chinese',
    '松港科學園區的缺工人數超過3,000人嗎？',
    [
      page('經濟日報', '2026-04-20', '園區同業公會調查會員缺工約3,400人。'),
      page('中央社', '2026-04-22', '園區管理局公布第一季調查，廠商缺工1,900人。'),
    ],
    ['Medium', 'Low'],
  ),
  research(
    'weak: a claim that its source denies, English',
    'Is it true that 23 people died in Lumen X2 scooter fires?',
    [
      page(
        'Consumer Product Safety Commission',
        '2026-04-09',
        'Lumen Mobility is recalling X2 e-scooters. The firm has received 23 reports of fires. No deaths have been reported.',
      ),
    ],
    ['High', 'Medium', 'Low'],
  ),
  research(
    'none: a rumour of a forum',
    '竹溪市立醫院急診室10月1日起夜間不收病人，屬實嗎？',
    [page('Dcard', '2026-09-20', '護理師朋友說10月開始晚上不收。'), page('PTT', '2026-09-21', '官網沒寫。')],
    ['Low'],
  ),
];
