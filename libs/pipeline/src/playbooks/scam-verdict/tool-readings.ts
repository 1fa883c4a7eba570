import type { EvidenceItem, Json, JsonObject } from '@casefile/contracts';
import { signalsFound, type SignalsFound } from '../../text-signals/signals-found.js';
import { complaintsAmong, type Complaint } from './complaints.js';

/**
 * Results of the tools, read defensively: upstream may hand them in, so a field of another type counts
 * as nothing and never throws. S1-11 to S1-14.
 */
export type Reading =
  | { kind: 'reports'; found: boolean; reportCount: number; riskScore: number; lastReportedAt: string | null }
  /** `pages`: all that hold the value; `complaints`: those that complain or warn, in the order found. */
  | { kind: 'complaints'; complaints: Complaint[]; pages: number }
  | {
      kind: 'domain';
      riskLevel: 'low' | 'medium' | 'high' | null;
      /** null: nobody who counts engines was asked. */
      malicious: number | null;
      ageDays: number | null;
      listed: string | null;
    }
  | { kind: 'phone'; suspicious: boolean; reason: string; numberType: string; country: string }
  | { kind: 'text'; found: SignalsFound }
  | { kind: 'other' };

const READERS: Record<string, (result: JsonObject, entityValue: string) => Reading> = {
  scam_db: (result) => ({
    kind: 'reports',
    found: result['found'] === true,
    reportCount: figure(result['reportCount']) ?? 0,
    riskScore: figure(result['riskScore']) ?? 0,
    lastReportedAt: text(result['lastReportedAt']) || null,
  }),
  exa_search: (result, entityValue) => {
    const results = Array.isArray(result['results']) ? result['results'].filter(isObject) : [];
    const pages = results.map((page) => ({
      title: text(page['title']),
      url: text(page['url']),
      published: text(page['published']),
      snippet: text(page['snippet']),
    }));
    return { kind: 'complaints', complaints: complaintsAmong(pages, entityValue), pages: pages.length };
  },
  domain_reputation: (result) => ({
    kind: 'domain',
    riskLevel: riskLevelOf(result['riskLevel']),
    malicious: figure(result['virustotalMalicious']),
    ageDays: figure(result['ageDays']),
    listed: text(result['listed']) || null,
  }),
  phone_validator: (result) => ({
    kind: 'phone',
    suspicious: result['suspicious'] === true,
    reason: text(result['suspiciousReason']),
    numberType: text(result['numberType']),
    country: text(result['country']),
  }),
};

/** What a successful item says, in the terms of its tool; `other` for any other tool or shape. */
export function readingOf(item: EvidenceItem): Reading {
  const found = signalsFound(item);
  if (found !== null) return { kind: 'text', found };
  const read = Object.hasOwn(READERS, item.toolName) ? READERS[item.toolName] : undefined;
  return read === undefined || !isObject(item.result)
    ? { kind: 'other' }
    : read(item.result, item.entityValue);
}

/** How many engines call a domain malicious, in words; not asked is told from none. */
export function enginesText(malicious: number | null): string {
  return malicious === null ? 'engines were not asked' : `${malicious} engines call it malicious`;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function figure(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function riskLevelOf(value: Json | undefined) {
  const level = text(value).trim().toLowerCase();
  return level === 'low' || level === 'medium' || level === 'high' ? level : null;
}
