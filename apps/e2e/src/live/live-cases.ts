import type { JsonObject } from '@casefile/contracts';
import { sampleBundles } from '../testing/sample-policy.js';

/** One case of the live suite: what comes in, and which outcomes a person would accept. */
export interface LiveCase {
  name: string;
  playbook: string;
  alert: JsonObject;
  /** Outcomes that pass, in the playbook's own words. */
  accepts: readonly string[];
  /** The model has to look things up itself. */
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
/** A sample case against the sample policy, each criterion of which is looked up by tool calls. */
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

/** Evidence that is strong, weak, conflicting or not there, Hindi, and tool calls, over the three playbooks. S1-61, S1-63. */
export const LIVE_CASES: readonly LiveCase[] = [
  verdict('strong evidence', ENGLISH, [reports(47), complaints(12), domain('high', 14, 3)], ['high']),
  verdict('weak evidence', ENGLISH, [reports(0), complaints(2)], ['low', 'medium', 'high']),
  verdict(
    'conflicting evidence',
    ENGLISH,
    [reports(0), complaints(0), domain('high', 9, 5)],
    ['medium', 'high'],
  ),
  verdict('no evidence', ENGLISH, [], ['low', 'medium', 'high']),
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
];
