import type { AlertLevel } from '@casefile/contracts';
import { ABSENCE_WORDS } from '@casefile/pipeline/reading/index';
import { RECOVERED as RESOLVED, RECOVERED_ELSEWHERE } from './recovery-words.js';
import { stableName } from './identity.js';
import { words } from './words.js';

/** State of an alert: firing, resolved, a test, not measurable, or an act of a person on it. */
export const ALERT_STATES = ['firing', 'resolved', 'test', 'no-data', 'remark'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Statement of a text about its own alert, without a status field that confirms it. */
export const TEXT_STATES = ['resolved', 'test'] as const;
export type TextState = (typeof TEXT_STATES)[number];

const MOST_TEXT = 4_000;
/** Words of recovery in other languages. A value of a status field counts only if the word is all of it. */
const RESOLVED_ELSEWHERE = new Set(RECOVERED_ELSEWHERE);
/**
 * Words such as "completed" say that a process ended, which may have failed. They report the end of an alert only
 * if they name it.
 */
const ALERT_ENDED =
  /\b(?:alert|alarm|incident|problem|outage|issue)[^a-z]{0,3}(?:ended|end|completed?|finished)$/;
/** Conclusions. They outweigh every other status: a process that completed may have failed. */
const FAILED = words('failed failure failures fail failing errored unsuccessful aborted crashed');
const NO_DATA = ['nodata', 'insufficientdata', 'nodatapoints'];
const TEST = ['test', 'testing', 'ping'];
/** Acts of people on an alert, as values of a status field without signs and without the name of the object. */
const REMARKS = words(
  'acknowledge acknowledged acknowledgement ack acked unacknowledge unacknowledged annotate annotated ' +
    'addnote noteadded updatenote commented commentadded addcomment assignownership takeownership snooze snoozed ' +
    'unsnooze unsnoozed responderadded responderreplied responderrequest addrecipient addteam addtags removetags ' +
    'adddetails removedetails updatedescription updatemessage statusupdatepublished conferencebridgeupdated ' +
    'customaction downtimestart downtimeend downtimecancelled',
);
/** Acts whose words also name a state. They count only after the name of the object: "incident.reassigned". */
const REMARKS_ON_OBJECT = words('assigned reassigned unassigned delegated note comment seen viewed');
/** Words that name the object in front of an act: "incident.annotated". */
const OBJECT = /^(?:incident|alert|alarm|issue|event|problem|monitor)(?=[a-z])/;

/**
 * Returns whether the values of a sender's status fields report an act of a person and not a change of the alert. Only
 * the first value counts, which names the event: an acknowledged alert may also get a higher priority.
 */
export function isRemark(values: readonly string[]): boolean {
  const event = (values[0] ?? '')
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  const act = event.replace(OBJECT, '');
  const isAct = REMARKS.includes(act) || (act !== event && REMARKS_ON_OBJECT.includes(act));
  return isAct && !values.some((value) => stateOfValue(value) === 'resolved' || isFailure(value));
}

/** Parts of values that report only a part as over: "partially_resolved", "1 of 40 up". */
const NOT_ALL =
  /\d\s?(?:of|\/)\s?\d|(?:^|[^a-z])(?:not?|non|never|none|nothing|isn|hasn|partial|partially|partly|some|half|almost|nearly|mostly|only|few|yet|until|unless|if|when|awaiting|pending|waiting|expected|was|were|but|except)(?![a-z])/;
/** Words that may stand before the state in a value with blanks: "monitor is up". */
const NEUTRAL = words(
  'alert alarm incident problem issue outage event monitor host service check trigger state status ' +
    'is has been now all everything back to auto automatically fully completely',
);
/** Words for none: "no failures". */
const NONE = new RegExp(`(?:^|[^a-z0-9])(?:${ABSENCE_WORDS}|0)[^a-z]`, 'i');
/** Words of a status value; a longer one is a sentence. */
const MOST_WORDS = 4;

/** Returns the state that the value of a field for status names; null: another word, or none. */
export function stateOfValue(value: string): AlertState | null {
  const text = value.slice(0, 200).trim().toLowerCase();
  const whole = text.replace(/[^a-z]/g, '');
  const parts = text.split(/[^a-z]+/).filter((word) => word !== '');
  // The last word is the state: "incident.resolved", "alert_closed", "monitor:recovered".
  const last = parts.at(-1) ?? '';
  if (NO_DATA.includes(whole) || /no[\s_-]?data$/.test(text)) return 'no-data';
  if (/^(?:un|not |not_)/.test(text)) return isAmong(FIRING, whole) || isFailure(text) ? 'firing' : null;
  if (RESOLVED.includes(whole) || ALERT_ENDED.test(text) || isResolvedElsewhere(text)) return 'resolved';
  if (RESOLVED.includes(last) && isWhole(text, parts)) return 'resolved';
  if (TEST.includes(whole)) return 'test';
  if (NONE.test(text)) return null;
  return isAmong(FIRING, whole) || isAmong(FIRING, last) ? 'firing' : null;
}

const isResolvedElsewhere = (text: string): boolean =>
  RESOLVED_ELSEWHERE.has(text.normalize('NFC').replace(/^[\p{P}\p{S}\s]{1,20}|[\p{P}\p{S}\s]{1,20}$/gu, ''));

/** Returns whether a value reports the end of the whole alert, and not of a part of it ("EU is up"). */
function isWhole(text: string, parts: readonly string[]): boolean {
  if (parts.length > MOST_WORDS || NOT_ALL.test(text)) return false;
  return !/\s/.test(text) || parts.slice(0, -1).every((word) => NEUTRAL.includes(word));
}

/** Returns whether the value of a status field is the conclusion that something failed. */
export function isFailure(value: string): boolean {
  const parts = value
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const isOver = RESOLVED.includes(parts.at(-1) ?? '');
  return (
    parts.length <= MOST_WORDS && !NONE.test(value) && !isOver && parts.some((word) => FAILED.includes(word))
  );
}

/**
 * Returns the state that the values of a sender's status fields give together, the more specific ones first.
 * null: none gives one. A failure stands above the end of the process that failed.
 */
export function stateOfValues(values: readonly string[]): AlertState | null {
  if (values.some(isFailure)) return 'firing';
  return values.map(stateOfValue).find((state) => state !== null) ?? null;
}

/** Words of a state that only warns, or that waits before it fires. */
const WARNING = words('warn warning warned degraded pending suppressed');

/** Returns how far an alert fires, by the values of its sender's status fields. The last word of a value counts. */
export function levelOfValues(values: readonly string[]): AlertLevel {
  if (values.some(isFailure)) return 'firing';
  for (const value of values) {
    const state = stateOfValue(value);
    if (state === 'no-data') return 'no-data';
    const last =
      value
        .slice(0, 200)
        .toLowerCase()
        .match(/[a-z]+/g)
        ?.at(-1) ?? '';
    if (WARNING.includes(last)) return 'warning';
    if (state !== null) return 'firing';
  }
  return 'firing';
}

/** Words for an alert that fires, which say nothing about the problem. */
const BARE = words(
  'firing fired alert alerting alarm problem open opened active activated triggered new created create',
);

/** Returns the value that says what is wrong, such as `failure` or `down`, a failure first; null: none does. */
export function tellingState(values: readonly string[]): string | null {
  const isTelling = (value: string) =>
    stateOfValue(value) === 'firing' && !BARE.includes(value.trim().toLowerCase());
  return values.find(isFailure) ?? values.find(isTelling) ?? null;
}

const FIRING = words(
  'firing fired triggered trigger alarm alerting alert open opened problem active activated ' +
    'critical warning down created create new started acknowledged escalated reopened unresolved ' +
    'error errors degraded pending suppressed missing missed overdue absent offline unhealthy unreachable',
);
const isAmong = (list: readonly string[], word: string) => list.includes(word) || FAILED.includes(word);

/** A line of a notification that gives the state or the conclusion: "Notification Type: RECOVERY". */
const STATE_LINE =
  /^[\s*>|•-]{0,10}(?:notification type|alert status|alert state|status|state|event|result|conclusion|outcome)\s{0,3}[:=]\s{0,3}(\S.{0,60})$/i;
/** A line of a notification that names its subject. */
const SUBJECT_LINE =
  /^[\s*>|•-]{0,10}(?:service|host|hostname|host name|node|monitor|check|trigger|trigger name|alert|alert name|rule|instance|problem|problem name|device|site|job|url)\s{0,3}[:=]\s{0,3}\S/i;
/** Further lines that programs write: fields, headings, banners, and the output of a check with its state. */
const PROGRAM_LINES = [
  /^[\s*>|•-]{0,10}\p{L}[\p{L}\d /_().-]{0,40}\s{0,3}[:=](?:\s|$)/u,
  /^\W{1,10}[\w ]{0,40}\W{1,10}$/,
  /^\W{0,5}(?:[\w./-]{1,40}\s){0,3}(?:OK|UP|RECOVERY|RECOVERED|RESOLVED|CLEAR|NORMAL)\s{0,3}(?:[-:;|(]|$)/,
];
/** Output of a check that found a problem: "DISK CRITICAL - 3 % free". */
const PROBLEM_LINE =
  /^\W{0,5}(?:[\w./-]{1,40}\s){0,3}(?:WARNING|CRITICAL|UNKNOWN|DOWN|UNREACHABLE|PROBLEM|FAILED|ERROR)\s{0,3}(?:[-:;|(]|$)/;
/** Subjects that name what is checked. A host alone has many checks. */
const CHECKED = /^(?:check|service|trigger|trigger name|rule|monitor|job)$/;
/** Subjects that name the problem, with measured values. */
const PROBLEM_NAME = /^(?:alert|problem)(?: name)?$/;
/** States of a host, and not of one of its checks. */
const HOST_STATE = /^(?:up|down|unreachable)$/i;
/** The words of `RESOLVED` that may mark a title. "Close" and "restore" may name what failed. */
const IN_TITLES = 'resolved|recovered|recovery|restored|ok|closed|cleared|up';
/** The word alone, if the colour of the message confirms it. */
const OPENING = new RegExp(`^[^a-z0-9]{0,20}(?:${IN_TITLES})(?![a-z])`, 'i');
/** A mark of recovery: the word in brackets, or in front of a colon, a dash or the end. "Up to 90 %" is none. */
const MARK = new RegExp(`${OPENING.source}\\s{0,3}(?:[\\]:)|]|[-–—]\\s|$)`, 'i');
/** The same in other languages. Without a sign after it, the word may begin a sentence. */
const OPENING_ELSEWHERE = new RegExp(
  `^[^\\p{L}\\p{N}]{0,20}(?:${[...RESOLVED_ELSEWHERE].join('|')})\\s{0,3}(?:[\\]】)）:：|!-]|$)`,
  'iu',
);
const OVER =
  /\b(?:has been resolved|was resolved|has recovered|have recovered|is resolved|back to normal|returned to normal|is back (?:up|online|to ok)|no longer firing|has cleared|(?:problem|incident|alert) resolved)\b(?!\s{0,2}\?)/gi;
const NOT_YET =
  /\b(?:not|hasn't|isn't|nothing|none|only|until|unless|if|when|once|will|whether|please)\b[^.\n]{0,60}$/i;
const TEST_TEXT = [
  /\bthis is (?:only |just )?a test(?: (?:alert|notification|message|notice|event|page|incident))?(?=[.!,;\n]|$| (?:from|of the|of your) )/i,
  /^[^a-z0-9]{0,20}test[\s\]):-]{1,5}(?:alert|notification|notice|message|event|page|incident)\b/i,
  /^[^a-z0-9]{0,5}\[test\]/i,
];

/**
 * Returns the state that a notification of a program gives in a line for it, such as `State: OK`. null: no such
 * line, or the text has a line of prose, which may say the opposite.
 */
export function stateInLines(text: string): AlertState | null {
  const lines = text
    .slice(0, MOST_TEXT)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const values = lines.flatMap((line) => STATE_LINE.exec(line)?.[1] ?? []);
  const state = stateOfValues(values);
  if (state !== 'resolved' && state !== 'test') return state;
  const isNotification =
    text.length <= MOST_TEXT &&
    lines.some((line) => SUBJECT_LINE.test(line)) &&
    lines.every((line) => PROGRAM_LINES.some((form) => form.test(line)));
  const agrees = values.every((value) => stateOfValue(value) === state);
  return isNotification && agrees ? state : null;
}

/**
 * Returns the subject of a notification of a program: the lines that name a host, a service or a check, without
 * measured values. null: it has no such line, no line for its state, a line of prose, or names a host alone next to
 * other lines, which may report any of its checks.
 */
export function subjectInLines(text: string): Record<string, string> | null {
  const lines = text
    .slice(0, MOST_TEXT)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const states = lines.flatMap((line) => STATE_LINE.exec(line)?.[1]?.trim() ?? []);
  const forms = [...PROGRAM_LINES, PROBLEM_LINE];
  const isNotification = lines.every((line) => forms.some((form) => form.test(line)));
  if (states.length === 0 || text.length > MOST_TEXT || !isNotification) return null;
  const entries = lines.flatMap((line): [string, string][] => {
    const [head = '', ...rest] = SUBJECT_LINE.test(line) ? line.split(/[:=]/) : [];
    const name = head.replace(/^\W+/, '').trim().toLowerCase();
    const value = rest.join(':').trim();
    return name === '' ? [] : [[name, (PROBLEM_NAME.test(name) ? stableName(value) : '') || value]];
  });
  const isChecked = entries.some(([name]) => CHECKED.test(name) || PROBLEM_NAME.test(name));
  const isWhole =
    states.some((state) => HOST_STATE.test(state)) || entries.length + states.length === lines.length;
  if (entries.length === 0 || !(isChecked || isWhole)) return null;
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns whether a title begins with a word of recovery. Without a mark, the word may be part of a name. */
export function opensWithRecovery(title: string): boolean {
  return OPENING.test(title.trim().slice(0, 200)) || hasRecoveryMark(title);
}

/** Returns whether a title begins with a mark of recovery, such as `[RESOLVED]` or `OK: `. */
export function hasRecoveryMark(title: string): boolean {
  const head = title.trim().slice(0, 200);
  return MARK.test(head) || OPENING_ELSEWHERE.test(head.normalize('NFC'));
}

/**
 * Returns what the words of a text say of its alert: that it is over, or a test. null: neither. Words close no
 * alert, because "nothing has recovered" has them too.
 * @param isCritical true: a sentence alone does not count, because the text names a critical severity.
 */
export function textStateIn(text: string, isCritical: boolean): TextState | null {
  const head = text.slice(0, MOST_TEXT);
  if (TEST_TEXT.some((pattern) => pattern.test(head.trimStart()))) return 'test';
  const lines = head.split('\n').flatMap((line) => STATE_LINE.exec(line)?.[1] ?? []);
  const stated = stateOfValues(lines);
  if (stated !== null) return stated === 'resolved' || stated === 'test' ? stated : null;
  const first = head.trim().split('\n', 1)[0] ?? '';
  if (hasRecoveryMark(first)) return 'resolved';
  if (isCritical) return null;
  const isOver = [...head.matchAll(OVER)].some(
    ({ index }) => !NOT_YET.test(head.slice(Math.max(0, index - 80), index)),
  );
  return isOver ? 'resolved' : null;
}
