import { countrySpecs, isValidIBAN } from 'ibantools';
import { validate as aadhaar } from 'stdnum/lib/cjs/in/aadhaar.js';
import { validate as chineseId } from 'stdnum/lib/cjs/cn/ric.js';
import { validate as codiceFiscale } from 'stdnum/lib/cjs/it/codicefiscale.js';
import { validate as cpf } from 'stdnum/lib/cjs/br/cpf.js';
import { validate as dni } from 'stdnum/lib/cjs/es/dni.js';
import { validate as nie } from 'stdnum/lib/cjs/es/nie.js';
import { validate as nir } from 'stdnum/lib/cjs/fr/nir.js';
import { luhnChecksumValidate } from 'stdnum/lib/cjs/util/checksum.js';

// Imported file by file: the whole package takes a quarter of a second to load.

/** Returns whether a number of digits ends with its check digit by Luhn (cards). */
export const isLuhn = (digits: string): boolean => luhnChecksumValidate(digits);

/** Returns the length of an IBAN of this country; undefined: the country has none. */
export function ibanLength(country: string): number | undefined {
  return countrySpecs[country.toUpperCase()]?.chars ?? undefined;
}

/** Returns whether a text without spaces is an IBAN of its country's form, with valid check digits. */
export const isIban = (text: string): boolean => isValidIBAN(text.toUpperCase());

/** Resident identity number of China. */
export const isChineseId = (text: string): boolean => chineseId(text).isValid;
/** CPF of Brazil. Eleven equal digits are no CPF. The first check digit is tested first, because most numbers fail there. */
export const isCpf = (text: string): boolean => {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length !== 11 || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 9; i += 1) sum += Number(digits[i]) * (10 - i);
  return ((sum * 10) % 11) % 10 === Number(digits[9]) && cpf(text).isValid;
};
/** NIR of France (social security). */
export const isNir = (text: string): boolean => nir(text).isValid;
/** DNI and NIE of Spain. */
export const isSpanishId = (text: string): boolean => dni(text).isValid || nie(text).isValid;
/** Codice fiscale of Italy. */
export const isCodiceFiscale = (text: string): boolean => codiceFiscale(text).isValid;
/** Aadhaar of India. */
export const isAadhaar = (text: string): boolean => aadhaar(text).isValid;
