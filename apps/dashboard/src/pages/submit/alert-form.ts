import type { AlertInput, Json } from '@casefile/contracts';

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
  /** JSON text as typed. */
  payload: string;
  image: ChosenImage | null;
  /** Whether the run may ask for clarification; null: runs of this kind never ask. */
  clarify: boolean | null;
}

/** Returns the alert of a completed form. @throws Error if the payload is no JSON object. */
export function alertFromForm({ playbook, text, payload, image, clarify }: AlertForm): AlertInput {
  return {
    source: 'console',
    ...(playbook === '' ? {} : { playbook }),
    ...(text.trim() === '' ? {} : { text }),
    ...(image === null ? {} : { image: { mediaType: image.mediaType, base64: image.base64 } }),
    ...(payload.trim() === '' && clarify !== true
      ? {}
      : { payload: { ...(clarify === true ? { clarify } : {}), ...objectIn(payload) } }),
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
