import { CasefileError, type Json } from '@casefile/contracts';

/** Masks the secrets in a value. @throws if the value cannot be scanned for secrets. */
export type Mask = (value: Json) => Promise<{ value: Json }>;

/** Returns an alert without secrets. Its image is unchanged. @throws CasefileError `withheld`. */
export async function maskAlert(alert: Json, mask: Mask): Promise<Json> {
  try {
    if (typeof alert !== 'object' || alert === null || Array.isArray(alert)) return (await mask(alert)).value;
    const { image, ...rest } = alert;
    const value = (await mask(rest)).value as Record<string, Json>;
    return image === undefined ? value : { ...value, image };
  } catch (cause) {
    throw new CasefileError('withheld', 'the alert could not be scanned for secrets', { cause });
  }
}
