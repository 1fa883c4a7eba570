/** Shortest tail that nobody is given by chance: a local number without its area code. */
const TAIL = 7;

/** Names the made-up look of a number's national digits, null when there is none. S1-14. */
export function digitPattern(digits: string): string | null {
  if (/^0+$/.test(digits) || digits.endsWith('0'.repeat(TAIL))) return 'all zeros';
  // Whole numbers only: a tail of one digit is what companies buy for their hotlines.
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
