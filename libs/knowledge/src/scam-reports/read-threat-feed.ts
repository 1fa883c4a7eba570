import { isUtf8 } from 'node:buffer';
import { CasefileError, InvalidInput, type FieldProblem, type ThreatType } from '@casefile/contracts';
import { refuseManyLines } from '../entries/count-entries.js';
import type { KeepPage } from '../entries/read-entries.js';
import { PageKeeper } from '../pages.js';
import type { ScamReportInput } from './scam-report-base.js';

/** Most problems that are reported. */
const MOST_PROBLEMS = 20;
/** Most bytes of a line. */
const LONGEST = 2_048;

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
 * Reads a threat feed: one value per line. Empty lines and lines that begin with `#` or `;` are skipped; lines
 * as in /etc/hosts are accepted for domains.
 * @param keep receives one report per value, in pages.
 * @returns the number of values.
 * @throws InvalidInput that names wrong lines; CasefileError `too_large`, `unreadable_file`. Then nothing may
 * be imported.
 */
export function readThreatFeed(
  bytes: Buffer,
  { type, risk, source }: ThreatFeedOptions,
  keep: KeepPage<ScamReportInput>,
): number {
  if (!isUtf8(bytes)) throw new CasefileError('unreadable_file', 'the file is not UTF-8 text');
  refuseManyLines(bytes);
  const { isValue, what } = EXPECTED[type];
  const problems: FieldProblem[] = [];
  const values = new Set<string>();
  let number = 0;
  for (let from = 0; from < bytes.length && problems.length < MOST_PROBLEMS;) {
    const next = bytes.indexOf('\n', from);
    const end = next === -1 ? bytes.length : next;
    const length = end - from;
    const value = length > LONGEST ? '' : valueIn(bytes.toString('utf8', from, end), type);
    from = end + 1;
    number += 1;
    const path = `line ${number}`;
    if (length > LONGEST)
      problems.push({ path, message: `expected at most ${LONGEST} bytes, and it has ${length}` });
    else if (value === '') continue;
    else if (isValue(value)) values.add(type === 'url' ? value : value.toLowerCase());
    else problems.push({ path, message: `expected ${what}` });
  }
  if (problems.length > 0) throw new InvalidInput(problems, 'threat feed');
  if (values.size === 0)
    throw new InvalidInput([{ path: '', message: 'expected at least one value' }], 'threat feed');
  const pages = new PageKeeper(keep);
  for (const entityValue of values)
    pages.add({ entityType: type, entityValue, reportCount: 1, riskScore: risk, source }, entityValue.length);
  pages.end();
  return pages.total;
}

function valueIn(line: string, type: ThreatType): string {
  const bare = line.trim();
  if (bare.startsWith('#') || bare.startsWith(';')) return '';
  return type === 'domain' ? bare.replace(NULL_ADDRESS, '') : bare;
}
