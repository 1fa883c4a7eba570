import type { AlertInput, FormField, JsonObject, Json } from '@casefile/contracts';
import { formPayload, type FieldTexts } from '@casefile/contracts/display';

/** An image that was chosen, dropped or pasted. */
export interface ChosenImage {
  name: string;
  mediaType: NonNullable<AlertInput['image']>['mediaType'];
  base64: string;
  /** Size in bytes. */
  bytes: number;
}

export interface AlertForm {
  /** '': the first playbook that accepts the alert. */
  playbook: string;
  text: string;
  /** Fields of the payload as typed, by their path. */
  fields: FieldTexts;
  /** JSON text of further fields as typed. */
  payload: string;
  image: ChosenImage | null;
  /** Whether the run may ask for clarification; null: runs of this kind never ask. */
  clarify: boolean | null;
}

/** The form before anything is filled in. */
export const EMPTY_FORM: AlertForm = {
  playbook: '',
  text: '',
  fields: {},
  payload: '',
  image: null,
  clarify: true,
};

/** Returns whether nothing was filled in. */
export function isEmptyForm({ text, fields, payload, image }: AlertForm): boolean {
  return image === null && [text, payload, ...Object.values(fields)].every((one) => one.trim() === '');
}

/**
 * Returns the alert of a completed form. @throws Error if the further fields are no JSON object; FieldError for a text
 * that is no value of its field.
 */
export function alertFromForm(
  { playbook, text, fields, payload, image, clarify }: AlertForm,
  form: readonly FormField[],
): AlertInput {
  const asked: JsonObject = clarify === true ? { clarify } : {};
  const filled = formPayload(form, fields);
  const hasPayload = payload.trim() !== '' || filled !== null || clarify === true;
  return {
    source: 'console',
    ...(playbook === '' ? {} : { playbook }),
    ...(text.trim() === '' ? {} : { text }),
    ...(image === null ? {} : { image: { mediaType: image.mediaType, base64: image.base64 } }),
    ...(hasPayload && { payload: { ...asked, ...objectIn(payload), ...filled } }),
  };
}

function objectIn(text: string): { [key: string]: Json } {
  if (text.trim() === '') return {};
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new Error('The payload is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The payload has to be a JSON object.');
  return value;
}
