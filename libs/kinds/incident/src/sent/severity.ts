import type { Severity } from '@casefile/contracts';
import { ABSENCE_WORDS } from '@casefile/pipeline/reading/index';
import { words } from './words.js';

/** Scale of a sender's numeric severities: a level per grade, or levels from a number on. */
export const SEVERITY_SCALES = [
  'first',
  'syslog',
  'zabbix',
  'azure',
  'guardduty',
  'wazuh',
  'rollbar',
] as const;
export type SeverityScale = (typeof SEVERITY_SCALES)[number];

type Level = Exclude<Severity, 'unknown'>;

/** Words of senders. `high` and `major` are a step below the worst in the systems that use them. */
const WORDS: Record<Level, readonly string[]> = {
  critical: words(
    'critical crit criticals page emergency emerg fatal disaster panic blocker urgent highest ' +
      'catastrophic alert',
  ),
  warning: words(
    'warning warnings warn error errors err high major average medium moderate degraded elevated',
  ),
  info: words(
    'info information informational notice low lowest minor none debug trivial ok normal ' +
      'planning success cleared clear unclassified',
  ),
};
const LEVEL_OF = new Map(
  Object.entries(WORDS).flatMap(([level, names]) => names.map((word) => [word, level as Level] as const)),
);
/** Levels of the grades P0 to P5 and SEV0 to SEV5. */
const GRADES: readonly Level[] = ['critical', 'critical', 'warning', 'warning', 'info', 'info'];
const FIGURES: Partial<Record<SeverityScale, readonly Level[]>> = {
  // ServiceNow: 1 is the worst.
  first: ['info', 'critical', 'warning', 'warning', 'info', 'info'],
  // RFC 5424, 6.2.1: emergency, alert, critical, error, warning, notice, informational, debug.
  syslog: ['critical', 'critical', 'critical', 'warning', 'warning', 'info', 'info', 'info'],
  // Zabbix levels: not classified, information, warning, average, high, disaster.
  zabbix: ['info', 'info', 'warning', 'warning', 'warning', 'critical'],
  // Azure Monitor levels: critical, error, warning, informational, verbose.
  azure: ['critical', 'critical', 'warning', 'info', 'info'],
};
/** Scales on which a larger number is worse: the last number, and the numbers from which a level holds. */
const STEPS: Partial<Record<SeverityScale, { last: number; critical: number; warning: number }>> = {
  // Amazon GuardDuty: low to 3.9, medium to 6.9, high to 8.9, critical to 10.
  guardduty: { last: 10, critical: 9, warning: 4 },
  // Wazuh rule levels: 7 to 14 are bad words, attacks and important events, 15 is a severe attack.
  wazuh: { last: 15, critical: 15, warning: 7 },
  // Rollbar: debug 10, info 20, warning 30, error 40, critical 50.
  rollbar: { last: 50, critical: 50, warning: 30 },
};
const RANK: readonly Level[] = ['info', 'warning', 'critical'];

const MOST_VALUE = 200;
const MOST_TEXT = 4_000;
/** P1, sev_2, "Priority: 3", "Severity 1". */
const GRADE = /^(?:p|pri|prio|priority|s|sev|severity)?[\s_:#-]{0,3}([0-5])$/;
const BEFORE_A_WORD = new RegExp(
  String.raw`(?:^|[^a-z0-9])(?:${ABSENCE_WORDS}|non|no longer|isn't|0)[\s_-]{0,3}(?:any[\s_-]{1,3})?$`,
);
const EARLIER = /(?:^|[^a-z])(?:was|were|previously|formerly|until|before)[\s:]{1,3}$/;

/**
 * Returns the level of a severity field.
 * @param scale Order of the sender's numeric severities. Default: a number alone gives no level.
 */
export function severityOfValue(value: string, scale?: SeverityScale): Severity {
  const text = value.slice(0, MOST_VALUE).trim().toLowerCase();
  const steps = scale === undefined ? undefined : STEPS[scale];
  if (steps !== undefined && /^\d{1,2}(?:\.\d{1,3})?$/.test(text)) return stepLevel(Number(text), steps);
  const figures = scale === undefined ? undefined : FIGURES[scale];
  if (/^\d$/.test(text)) return figures?.[Number(text)] ?? 'unknown';
  const grade = GRADE.exec(text)?.[1];
  // "Sev3" of Azure is a grade of its own scale.
  if (grade !== undefined) return (scale === 'azure' ? figures : GRADES)?.[Number(grade)] ?? 'unknown';
  // In a change such as "WARNING -> CRITICAL" the last value is the current one.
  const last = text.split(/[-=]>|→/).at(-1) ?? '';
  return worst(wordsIn(last, 'value')) ?? 'unknown';
}

function stepLevel(
  value: number,
  { last, critical, warning }: { last: number; critical: number; warning: number },
) {
  if (value > last) return 'unknown';
  return value >= critical ? 'critical' : value >= warning ? 'warning' : 'info';
}

/** A line of a message that gives the severity: "Severity: Disaster". */
const SAID =
  /^[\s*>|•-]{0,10}(?:severity|priority|urgency|level|criticality|alert level)\s{0,3}[:=]\s{0,3}(\S.{0,80})$/gim;

/** Returns the level that a text names: by a line for it, else by words that stand for themselves. */
export function severityInText(text: string): Severity {
  const head = text.slice(0, MOST_TEXT);
  const said = [...head.matchAll(SAID)].map(([, value = '']) => severityOfValue(value));
  return said.find((level) => level !== 'unknown') ?? worst(wordsIn(head.toLowerCase(), 'text')) ?? 'unknown';
}

/**
 * Words that name a severity in running text too. Others ("high", "error", "alert") have everyday meanings
 * there.
 */
const IN_TEXT = [
  'critical',
  'crit',
  'criticals',
  'emergency',
  'emerg',
  'disaster',
  'warning',
  'warnings',
  'warn',
];
/** Words after which "critical" does not name a severity. */
const NO_SEVERITY =
  /^[\s-]{1,3}(?:section|path|mass|update|patch|thinking|review|infrastructure|infra|services?\b|systems?\b)/;
const TOKEN = /[a-z]+(?:[0-5](?!\d))?/g;

function wordsIn(text: string, where: 'value' | 'text'): Level[] {
  const found: Level[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const level = tokenLevel(token, text, index, where);
    if (level === null) continue;
    const before = text.slice(Math.max(0, index - 24), index);
    const after = text.slice(index + token.length, index + token.length + 24);
    if (EARLIER.test(before)) continue;
    // A count of none, such as "0 critical" or "critical: 0", is not a severity.
    if (/^\s{0,3}[:=(]\s{0,3}0(?!\d)/.test(after)) continue;
    if (BEFORE_A_WORD.test(before)) {
      if (where === 'value' && level === 'critical') found.push('warning');
      continue;
    }
    if (where === 'text' && (isPartOfAName(before, after) || NO_SEVERITY.test(after))) continue;
    found.push(level);
  }
  return found;
}

function tokenLevel(token: string, text: string, index: number, where: 'value' | 'text'): Level | null {
  const [, prefix, figure] = /^(p|sev|severity|s)([0-5])$/.exec(token) ?? [];
  if (figure !== undefined)
    return where === 'text' && prefix === 's' ? null : (GRADES[Number(figure)] ?? null);
  if (token === 'sev' || (where === 'value' && /^(?:priority|severity|p)$/.test(token))) {
    const next = /^[\s_:#-]{1,3}([0-5])(?!\d)/.exec(
      text.slice(index + token.length, index + token.length + 8),
    );
    return next === null ? null : (GRADES[Number(next[1])] ?? null);
  }
  if (where === 'text' && !IN_TEXT.includes(token)) return null;
  return LEVEL_OF.get(token) ?? null;
}

/**
 * Returns whether the word is part of a name, such as "system-cluster-critical" or "critical_alerts.yaml".
 */
function isPartOfAName(before: string, after: string): boolean {
  return /[a-z0-9][_/.-]$/.test(before) || /^[_/-][a-z0-9]|^\.[a-z0-9]/.test(after);
}

function worst(levels: readonly Level[]): Level | undefined {
  return [...levels].sort((a, b) => RANK.indexOf(b) - RANK.indexOf(a))[0];
}
