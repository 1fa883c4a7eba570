import inLanguages from './recovery-words.json' with { type: 'json' };

const { en, ...others } = inLanguages;

/** English words of recovery. */
export const RECOVERED: readonly string[] = en.split('/');
/** Words and phrases of recovery in other languages. */
export const RECOVERED_ELSEWHERE: readonly string[] = Object.values(others).flatMap((list) =>
  list.split('/'),
);
