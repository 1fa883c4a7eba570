import { CasefileError, type Json } from '@casefile/contracts';

/** Takes secrets out of a value. @throws what cannot be looked through. */
export type Mask = (value: Json) => Promise<{ value: Json }>;

/** Returns an alert without secrets; its image stays as it is. @throws CasefileError `withheld`. */
export async function maskAlert(alert: Json, mask: Mask | undefined): Promise<Json> {
  try {
    if (mask === undefined) throw new Error('there is nothing to mask it with');
    if (typeof alert !== 'object' || alert === null || Array.isArray(alert)) return (await mask(alert)).value;
    const { image, ...rest } = alert;
    const value = (await mask(rest)).value as Record<string, Json>;
    return image === undefined ? value : { ...value, image };
  } catch (cause) {
    throw new CasefileError('withheld', 'the alert could not be looked through for secrets', { cause });
  }
}
