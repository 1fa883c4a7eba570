import type { AlertInput } from '@casefile/contracts';
import type { KindClaim } from '@casefile/pipeline/parts/intake';
import { looksMonitored } from './alert.js';
import { outageInText } from './sent/outage-in-text.js';

/**
 * Returns how well an alert without a named kind fits this playbook. An alert of a monitoring system, or a
 * text that describes an outage, is recognised. Such a text next to an image, or with a sign of a message to
 * a person, only resembles one.
 */
export function alertClaim(alert: AlertInput): KindClaim | null {
  if (looksMonitored(alert))
    return { strength: 'recognises', why: 'Its payload is the alert of a monitoring system.' };
  const { text = '', payload, image } = alert;
  const outage = payload === undefined && text.trim() !== '' ? outageInText(text) : null;
  if (outage === null) return null;
  const { words, signs } = outage;
  const quoted = words.map((word) => `"${word}"`).join(', ');
  const described =
    words.length === 0 ? 'The text has the form of an alert' : `The text describes an outage (${quoted})`;
  if (image !== undefined) return { strength: 'resembles', why: `${described}, next to an image.` };
  if (signs.length === 0)
    return { strength: 'recognises', why: `${described} and has no sign of a message to a person.` };
  return {
    strength: 'resembles',
    why: `${described}, but also has signs of a message to a person: ${signs.join(', ')}.`,
  };
}
