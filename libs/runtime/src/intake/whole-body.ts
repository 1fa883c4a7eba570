import { isObject, type AlertInput, type JsonObject } from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';

/** What an alert consists of: a body that has any of these is an alert in Casefile's own shape. */
const PARTS = ['text', 'image', 'payload'];

/**
 * Returns the alert that a body is. A body without text, image or payload that a kind of case recognises, such as a post of
 * another system, becomes the payload of an alert; any other is returned as it is.
 */
export function alertIn(body: unknown, playbooks: readonly Pick<Playbook, 'name' | 'intake'>[]): unknown {
  if (!isObject(body) || PARTS.some((part) => body[part] !== undefined)) return body;
  if (Object.keys(body).every((key) => key === 'playbook')) return body;
  const named = playbooks.find(({ name }) => name === body['playbook']);
  const alert: AlertInput = {
    ...(named === undefined ? {} : { playbook: named.name }),
    payload: body as JsonObject,
  };
  const isRecognised =
    named === undefined
      ? body['playbook'] === undefined &&
        playbooks.some(({ intake }) => intake.claims(alert, () => ({})) !== null)
      : named.intake.problems(alert).length === 0;
  return isRecognised ? alert : body;
}
