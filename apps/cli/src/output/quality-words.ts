import type { QualityRow, QualityShare } from '@casefile/contracts';

/** `92.0 %`. */
export function percent({ share }: QualityShare): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)} %`;
}

/** `92.0 % (46 of 50; 81 to 97)`. */
export function inWords({ part, of, share, low, high }: QualityShare): string {
  if (share === null || low === null || high === null) return '-';
  return `${(share * 100).toFixed(1)} % (${part} of ${of}; ${Math.round(low * 100)} to ${Math.round(high * 100)})`;
}

/** `95.0 % (91 to 98)`. */
export function estimate(of: QualityRow['estimatedAccuracy']): string {
  if (of === null) return '-';
  return `${(of.value * 100).toFixed(1)} % (${Math.round(of.low * 100)} to ${Math.round(of.high * 100)})`;
}
