import { createElement, Fragment, type ReactNode } from 'react';
import { countText } from '../format/numbers.js';
import en from './en.json' with { type: 'json' };

/** Strings of one language, by key. A placeholder is a name in braces, such as `{count}`. */
export type Strings = Partial<Record<keyof typeof en, string>>;
type AllKeys = keyof typeof en;
type PluralKey<K> = K extends `${infer Key}_other` ? Key : never;
/** Key of a string with a number, of which a language has one form per plural category. */
export type CountKey = PluralKey<AllKeys>;
/** Key of any other string. */
export type TextKey = Exclude<AllKeys, `count.${string}`>;

let strings: Readonly<Record<string, string | undefined>> = en;
let plurals = new Intl.PluralRules('en');

/**
 * Sets the language of `t`, `rich` and `counted`. Constants of modules contain strings, so this precedes the
 * import of the pages. A string that `translated` lacks is shown in English.
 * @param language BCP 47 tag of the language.
 */
export function speak(language: string, translated: Strings): void {
  strings = { ...en, ...translated };
  plurals = new Intl.PluralRules(language);
}

const PLACEHOLDER = /\{(\w+)\}/;

/** Returns a string of the interface with its placeholders filled. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  return parts(strings[key] ?? key)
    .map((part, i) => (i % 2 === 0 ? part : String(values[part] ?? '')))
    .join('');
}

/** Returns a string of the interface whose placeholders are filled with elements. */
export function rich(key: TextKey, values: Record<string, ReactNode>): ReactNode {
  const children = parts(strings[key] ?? key).map((part, i) => (i % 2 === 0 ? part : values[part]));
  return createElement(Fragment, null, ...children);
}

/** Returns a number with its noun, in the plural form of the language: `1 case`, `12,345 cases`. */
export function counted(key: CountKey, n: number): string {
  const form = strings[`${key}_${plurals.select(n)}`] ?? strings[`${key}_other`] ?? key;
  return form.replace('{n}', countText(n));
}

// Texts at even places, names of placeholders at odd places.
function parts(message: string): string[] {
  return message.split(PLACEHOLDER);
}
