import type { Alert, AlertImage, AlertInput, JsonObject } from '@casefile/contracts';
import type { RowFrom } from '../columns.js';

/** The stored form of an alert: searchable text, separate image, and all other keys as received. */
export interface AlertParts extends RowFrom<
  'alerts',
  'id' | 'playbook' | 'text' | 'image_type' | 'image' | 'received_at'
> {
  rest: JsonObject;
}

export function alertParts(
  alert: AlertInput & { playbook: string },
  id: string,
  receivedAt: string,
): AlertParts {
  const { playbook, text, image, ...rest } = alert;
  return {
    id,
    playbook,
    text: text ?? null,
    image_type: image?.mediaType ?? null,
    image: image?.base64 ?? null,
    rest: rest as JsonObject,
    received_at: receivedAt,
  };
}

export function alertOf(parts: AlertParts): Alert {
  const { id, playbook, text, image_type: mediaType, image, rest, received_at: receivedAt } = parts;
  const alert: Alert = { ...rest, id, playbook, receivedAt };
  if (text !== null) alert.text = text;
  if (image !== null) alert.image = { mediaType: mediaType as AlertImage['mediaType'], base64: image };
  return alert;
}
