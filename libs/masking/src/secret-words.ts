import data from './words/secret-words.json' with { type: 'json' };

/** Names of secrets and words around them, by language, as sources of regular expressions. */
const { passwords, keys, states, codes, ownCodes, notCodes } = data;

const all = (byLanguage: Readonly<Record<string, readonly string[]>>): string[] => [
  ...new Set(Object.values(byLanguage).flat()),
];

/** Returns an alternative of words. A short word of letters counts only if it stands alone. */
function anyOf(words: readonly string[]): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) =>
      /^[a-zç]{1,6}$/i.test(word) ? String.raw`(?<![\p{L}\p{N}])${word}(?![\p{L}\p{N}])` : word,
    )
    .join('|');
}

export const PASSWORD_NAMES = anyOf(all(passwords));
export const SECRET_NAMES = anyOf([...all(passwords), ...all(keys)]);
export const STATES = states
  .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  .sort((a, b) => b.length - a.length)
  .join('|');
export const CODE_NAMES = anyOf(all(codes));
/** Names of a code that are used for other numbers too, with a word that shows whose code it is. */
export const OWN_CODES = anyOf(ownCodes);
/** Words before "code" that show that no secret follows. */
export const NOT_CODES = notCodes.join('|');

const CODE_NAME = new RegExp(`(?:${CODE_NAMES})$`, 'iu');

/** Returns whether the name of a field shows that its value is a one-time code. */
export function isCodeName(name: string): boolean {
  return CODE_NAME.test(name.slice(-100).replaceAll(/[_-]/g, ' '));
}
