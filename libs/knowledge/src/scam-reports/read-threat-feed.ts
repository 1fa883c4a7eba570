import { setImmediate } from 'node:timers/promises';
import { InvalidInput, type FieldProblem, type ThreatType } from '@casefile/contracts';
import type { ScamReportInput } from './scam-report-base.js';

/** Most lines of a feed, and most problems that are reported. */
const MOST_LINES = 500_000;
const MOST_PROBLEMS = 20;
const LONGEST = 2_048;
/** Lines that are read without a pause; each slice takes some milliseconds. */
const SLICE = 5_000;

/** First column of a file in the format of /etc/hosts. */
const NULL_ADDRESS = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+/;
const DOMAIN = /^(?:[a-z0-9_-]{1,63}\.){1,20}[a-z0-9-]{2,63}$/i;
const ADDRESS = /^[0-9a-f.:]{2,45}$/i;
const EMAIL = /^[^\s@]{1,100}@[^\s@]{3,255}$/;

const EXPECTED: Record<ThreatType, { isValue(value: string): boolean; what: string }> = {
  domain: { isValue: (value) => DOMAIN.test(value), what: 'a domain' },
  url: { isValue: (value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value), what: 'http(s)://...' },
  ip: { isValue: (value) => ADDRESS.test(value), what: 'an IP address' },
  email: { isValue: (value) => EMAIL.test(value), what: 'a mail address' },
};

/** Type of the values in a feed, and their severity. */
export interface ThreatFeedOptions {
  type: ThreatType;
  /** 0..100. */
  risk: number;
  /** Source of the reports. */
  source: string;
}

/**
 * Reads a threat feed: one value per line. Empty lines and lines that begin with `#` or `;` are skipped; lines as in
 * /etc/hosts are accepted for domains.
 * @returns one report per value.
 * @throws InvalidInput that names wrong lines; then nothing is imported.
 */
export async function parseThreatFeed(
  text: string,
  { type, risk, source }: ThreatFeedOptions,
): Promise<ScamReportInput[]> {
  const { isValue, what } = EXPECTED[type];
  const problems: FieldProblem[] = [];
  const values = new Set<string>();
  let number = 0;
  for (let from = 0; from < text.length && problems.length < MOST_PROBLEMS;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end);
    from = end === -1 ? text.length : end + 1;
    number += 1;
    if (number > MOST_LINES) {
      problems.push({ path: `line ${number}`, message: `expected at most ${MOST_LINES} lines` });
      break;
    }
    if (number % SLICE === 0) await setImmediate();
    if (line.length > LONGEST) {
      problems.push({ path: `line ${number}`, message: `expected at most ${LONGEST} characters` });
      continue;
    }
    const value = valueIn(line, type);
    if (value === '') continue;
    if (isValue(value)) values.add(type === 'url' ? value : value.toLowerCase());
    else problems.push({ path: `line ${number}`, message: `expected ${what}` });
  }
  if (problems.length > 0) throw new InvalidInput(problems, 'threat feed');
  if (values.size === 0)
    throw new InvalidInput([{ path: '', message: 'expected at least one value' }], 'threat feed');
  return [...values].map((entityValue) => ({
    entityType: type,
    entityValue,
    reportCount: 1,
    riskScore: risk,
    source,
  }));
}

function valueIn(line: string, type: ThreatType): string {
  const bare = line.trim();
  if (bare.startsWith('#') || bare.startsWith(';')) return '';
  return type === 'domain' ? bare.replace(NULL_ADDRESS, '') : bare;
}
