import type { Json } from '@casefile/contracts';
import { valueText } from '@casefile/contracts/display';
import { visible } from '../format/visible.js';
import { Stamp } from './stamp.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** A value from outside as plain text. Times are shown in the chosen zone. */
export function ShownValue({ value }: { value: Json }) {
  return isTime(value) ? <Stamp at={value} /> : <>{visible(valueText(value) ?? '–')}</>;
}

/** Returns whether a value is a time of ISO 8601 with its zone. */
export function isTime(value: Json): value is string {
  return typeof value === 'string' && TIME.test(value);
}
