import type { Json, Tool } from '@casefile/contracts';
import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { entityArgs } from '../entity-args.js';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

/**
 * Whether a number could belong to a person. Result `{ suspicious, suspiciousReason, numberType, country }`.
 * `suspiciousReason` is null if nothing is wrong; `country` (ISO 3166) is null if the number belongs to none.
 * Computed from the numbering plans in libphonenumber.
 */
export function validatePhone(settings: Pick<EvidenceSettings, 'limits'>): Tool {
  const args = entityArgs(['phone']);
  return {
    name: 'phone_validator',
    description: 'Checks a phone number for impossible and faked-looking forms and for premium rates.',
    locality: 'local',
    reads: 'nothing',
    entityTypes: ['phone'],
    args,
    limits: toolLimits('phone_validator', OWN_LOOK_UP, settings),
    run(input) {
      const result = judge(args.parse(input).entityValue);
      return Promise.resolve({ result, source: 'libphonenumber' });
    },
  };
}

function judge(value: string): Json {
  const phone = parsePhoneNumberFromString(value);
  const reason = findSuspiciousReason(value, phone);
  return {
    suspicious: reason !== null,
    suspiciousReason: reason,
    numberType: phone?.getType()?.toLowerCase() ?? 'unknown',
    country: phone?.country ?? null,
  };
}

function findSuspiciousReason(value: string, phone: PhoneNumber | undefined): string | null {
  const pattern = digitPattern(phone?.nationalNumber ?? value.replace(/\D/g, ''));
  if (pattern !== null) return pattern;
  if (phone === undefined)
    return 'not a phone number of any country: unknown country code or impossible length';
  if (!phone.isPossible()) return 'impossible length for its country';
  if (!phone.isValid()) return 'not in a number range that is in use';
  return PREMIUM[phone.getType() ?? ''] ?? null;
}

/** Number types that cost the caller more than a call; call-back scams earn money with them. */
const PREMIUM: Record<string, string> = {
  PREMIUM_RATE: 'premium-rate number',
  PERSONAL_NUMBER: 'personal number, charged at premium rates',
};

/** Shortest tail that is not assigned by chance: a local number without its area code. */
const TAIL = 7;

/** Names a pattern that makes a number's national digits look invented, or null. */
function digitPattern(digits: string): string | null {
  if (/^0+$/.test(digits) || digits.endsWith('0'.repeat(TAIL))) return 'all zeros';
  // Only whole numbers count, because companies buy numbers that end in a repeated digit for their hotlines.
  if (/^(\d)\1+$/.test(digits)) return 'one repeated digit';
  if (isSequence(digits.slice(-TAIL))) return 'sequential digits';
  return null;
}

// Upwards or downwards by one, with the step between 9 and 0 as on a keypad.
function isSequence(digits: string): boolean {
  if (digits.length < TAIL) return false;
  const steps = [...digits].slice(1).map((digit, i) => (Number(digit) - Number(digits[i]) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}
