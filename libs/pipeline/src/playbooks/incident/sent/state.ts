import { words } from './words.js';

/** State of an alert: firing, resolved, a test, or not measurable. */
export const ALERT_STATES = ['firing', 'resolved', 'test', 'no-data'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

const MOST_TEXT = 4_000;
const RESOLVED = words(
  'resolved resolve ok okay recovered recovery closed close normal up cleared clear ' +
    'ended end deactivated completed fixed healthy passed success',
);
const NO_DATA = ['nodata', 'insufficientdata', 'nodatapoints', 'missing'];
const TEST = ['test', 'testing', 'ping'];

/** Returns the state that the value of a field for status names; null: another word, or none. */
export function stateOfValue(value: string): AlertState | null {
  const text = value.slice(0, 200).trim().toLowerCase();
  const whole = text.replace(/[^a-z]/g, '');
  // The last word is the state: "incident.resolved", "alert_closed", "monitor:recovered".
  const last =
    text
      .split(/[^a-z]+/)
      .filter((word) => word !== '')
      .at(-1) ?? '';
  if (NO_DATA.includes(whole) || /no[\s_-]?data$/.test(text)) return 'no-data';
  if (/^(?:un|not |not_)/.test(text)) return FIRING.includes(whole) ? 'firing' : null;
  if (RESOLVED.includes(whole) || RESOLVED.includes(last)) return 'resolved';
  if (TEST.includes(whole)) return 'test';
  return FIRING.includes(whole) || FIRING.includes(last) ? 'firing' : null;
}

const FIRING = words(
  'firing fired triggered trigger alarm alerting alert open opened problem active activated ' +
    'critical warning down created create new started acknowledged escalated reopened unresolved ' +
    'failed failing error degraded pending suppressed',
);

/** A line of a message that gives the state: "Notification Type: RECOVERY". */
const SAID =
  /^[\s*>|•-]{0,10}(?:notification type|alert status|alert state|status|state|event)\s{0,3}[:=]\s{0,3}(\S.{0,60})$/gim;
const OPENING =
  /^[^a-z0-9]{0,20}(resolved|recovered|recovery|ok|closed|cleared|up)(?![a-z])\s{0,3}(?:[\]:)|-]|$|\s)/i;
const OVER =
  /\b(?:has been resolved|was resolved|has recovered|is resolved|back to normal|returned to normal|is back (?:up|online|to ok)|no longer firing|has cleared|(?:problem|incident|alert) resolved)\b(?!\s{0,2}\?)/gi;
const NOT_YET = /\b(?:not|hasn't|isn't|until|unless|if|when|once|will|whether|please)\b[^.\n]{0,60}$/i;
const TEST_TEXT = [
  /\bthis is (?:only |just )?a test(?: (?:alert|notification|message|notice|event|page|incident))?(?=[.!,;\n]|$| (?:from|of the|of your) )/i,
  /^[^a-z0-9]{0,20}test[\s\]):-]{1,5}(?:alert|notification|notice|message|event|page|incident)\b/i,
  /^[^a-z0-9]{0,5}\[test\]/i,
];

/**
 * Returns the state in a text: from a line for the state, from the opening words, or from a sentence; null:
 * no state.
 * @param isCritical true: a sentence alone does not resolve the alert, because the text names a critical
 * severity.
 */
export function stateInText(text: string, isCritical: boolean): AlertState | null {
  const head = text.slice(0, MOST_TEXT);
  if (TEST_TEXT.some((pattern) => pattern.test(head.trimStart()))) return 'test';
  const said = [...head.matchAll(SAID)]
    .map(([, value = '']) => stateOfValue(value))
    .find((state) => state !== null);
  if (said !== undefined) return said;
  const first = head.trim().split('\n', 1)[0] ?? '';
  if (OPENING.test(first)) return 'resolved';
  if (isCritical) return null;
  const isOver = [...head.matchAll(OVER)].some(
    ({ index }) => !NOT_YET.test(head.slice(Math.max(0, index - 80), index)),
  );
  return isOver ? 'resolved' : null;
}
