import { z, type Alert } from '@casefile/contracts';
import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';
import regions from './phone-regions.json' with { type: 'json' };

/** ISO 3166 code of a country with a numbering plan. */
export type Region = CountryCode;

/** Default of the option: the countries of most shipped reports. */
export const DEFAULT_REGIONS: readonly Region[] = ['IN', 'US', 'GB'];

/** Maximum number of countries, because each requires a separate search of the text. */
const MOST_REGIONS = 8;
const region = z.custom<Region>(
  (value) => typeof value === 'string' && isSupportedCountry(value),
  'expected an ISO 3166 code of a country in capitals, such as IN',
);
/** Playbook option: countries in which a number without a country code is read, the likeliest first. */
export const phoneRegions = z
  .array(region)
  .min(1)
  .max(MOST_REGIONS)
  .default([...DEFAULT_REGIONS]);

/** Countries in which most readers of a language live, by BCP 47 code; English is read everywhere. */
const BY_LANGUAGE = new Map(
  Object.entries(regions).map(([language, list]) => [language, list.split(' ') as Region[]]),
);

/** Returns the countries in which a language is read, the likeliest first; empty for languages of many countries. */
export function regionsOfLanguage(code: string): readonly Region[] {
  return BY_LANGUAGE.get(code) ?? [];
}

/** Main country of calling codes that several countries share. */
const MAIN: Readonly<Record<string, Region>> = {
  1: 'US',
  7: 'RU',
  39: 'IT',
  44: 'GB',
  47: 'NO',
  61: 'AU',
  212: 'MA',
  358: 'FI',
};
const INTERNATIONAL = /\+ ?[1-9]\d{0,3}[\d ().-]{4,20}\d/g;
const MOST_READ = 20;

/** Returns the countries of numbers that are written with their country code, in order of appearance. */
export function regionsOfNumbers(text: string): Region[] {
  const regions: Region[] = [];
  for (const [written] of text.matchAll(INTERNATIONAL)) {
    const number = parsePhoneNumberFromString(written);
    const code = number?.countryCallingCode;
    const country =
      number?.country ??
      (code === undefined
        ? undefined
        : (MAIN[code] ?? getCountries().find((one) => getCountryCallingCode(one) === code)));
    if (country !== undefined) regions.push(country);
    if (regions.length >= MOST_READ) break;
  }
  return [...new Set(regions)];
}

/**
 * Returns the countries that a sender's alert names: the label `country` (ISO 3166), then the countries of phone numbers
 * in its conversation, source, labels and entities.
 */
export function regionsOfSender({
  labels = {},
  conversation = '',
  source = '',
  entities = {},
}: Pick<Alert, 'entities' | 'conversation' | 'source' | 'labels'>): Region[] {
  const named = (labels['country'] ?? '').toUpperCase();
  const numbers = [conversation, source, ...Object.values(labels), ...(entities['phone'] ?? [])].join('\n');
  return [...new Set([...(isSupportedCountry(named) ? [named] : []), ...regionsOfNumbers(numbers)])];
}
