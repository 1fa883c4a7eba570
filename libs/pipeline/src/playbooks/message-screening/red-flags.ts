/** Each flag once, whatever its case, blanks and closing stop; empty ones are none. In order of appearance. S3-30. */
export function distinctFlags(flags: readonly string[]): string[] {
  const seen = new Set<string>();
  return flags.map(trimmed).filter((flag) => {
    const key = flag.toLowerCase();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

// A flag of signs alone ("-", "...") says nothing.
function trimmed(flag: string): string {
  const text = flag.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  const bare = text.replace(/^[\s\-*•.,;:]+|(?<![\s.,;:])[\s.,;:]+$/gu, '');
  return /[\p{L}\p{N}]/u.test(bare) ? bare : '';
}
