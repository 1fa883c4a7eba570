import { getDomain, getDomainWithoutSuffix } from 'tldts';

/** Names of providers where anybody gets an address, without the suffix: such a domain identifies no sender. */
const FREE_PROVIDERS = new Set(
  (
    'gmail googlemail yahoo ymail outlook hotmail live msn icloud me mac aol gmx web mail proton protonmail pm zoho ' +
    'yandex rediffmail qq 163 126 naver daum libero orange wanadoo free laposte t-online freenet wp o2 seznam tutanota fastmail'
  ).split(' '),
);

/** Returns whether anybody gets an address at a domain. */
export function isFreeProvider(domain: string): boolean {
  return FREE_PROVIDERS.has(getDomainWithoutSuffix(domain) ?? '') && getDomain(domain) === domain;
}
