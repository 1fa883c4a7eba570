import { createHash } from 'node:crypto';
import type { ScamPattern } from '@casefile/contracts';
import type { PolicyInput } from '../policies/policy-base.js';

/** Returns a scam pattern with an English text. */
export const aPattern = (id: string, over: Partial<ScamPattern> = {}): ScamPattern => ({
  id,
  title: `Pattern ${id}`,
  texts: { en: `text of ${id}` },
  category: 'kyc_banking',
  scamType: 'credential_theft',
  redFlags: ['asks for a code'],
  source: 'desk',
  version: 1,
  ...over,
});

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns a section of a policy on a separate page. */
export const aSection = (
  nodeId: string,
  parentId: string | null,
  title: string,
  text: string,
): PolicyInput['sections'][number] => ({
  nodeId,
  parentId,
  title,
  text,
  level: parentId === null ? 1 : 2,
  summary: text.slice(0, 20),
  pages: { from: Number(nodeId), to: Number(nodeId) },
  lines: null,
});

/** Returns a policy of four sections about insurance claims. */
export function aPolicy(over: Partial<PolicyInput> = {}): PolicyInput {
  return {
    policyId: 'claims',
    title: 'Claims',
    language: 'en',
    format: 'markdown',
    source: 'claims.md',
    sourceDigest: digest('claims'),
    pages: null,
    sections: [
      aSection('0001', null, 'Notice', ''),
      aSection(
        '0002',
        '0001',
        'Household',
        'A claim is made within 30 days of the loss. A phone call is enough.',
      ),
      aSection(
        '0003',
        '0001',
        'Travel',
        'A claim is made within 21 days of the loss.\n\n| Cash on a trip | £300 |',
      ),
      aSection('0004', null, 'Excess', 'Escape of water carries an excess of £350 for each claim.'),
    ],
    ...over,
  };
}
