// Invisible characters: zero-width ones (except joiners, which Indic scripts and emoji need), marks that
// change the direction of text, tag characters, and other controls.
const HIDDEN =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** The text with its hidden characters spelled out: `pay⟨U+200B⟩pal`. */
export function visible(text: string): string {
  return text.replace(
    HIDDEN,
    (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
