import type { RunbookQuestion, RunbookRuleKind } from '@casefile/contracts';
import { idOfFile } from '../files.js';
import { isNamed, sameLastParts, type NamedRunbook } from './runbook-names.js';

/** Filter for the alerts of a runbook. If it has both labels and alerts, both must match. */
export interface RunbookRule {
  /** Name of the runbook, or its URL. */
  runbook: string;
  /** All of them must have these values. */
  labels: Readonly<Record<string, string>>;
  /** One of them must be the type of the alert; none: any. */
  alerts: readonly string[];
}

/** Runbooks and rules that an alert is matched with. */
export interface RunbookRules {
  runbooks: readonly (NamedRunbook & {
    labels: Readonly<Record<string, string>>;
    alerts: readonly string[];
  })[];
  rules: readonly RunbookRule[];
  /** Name or URL of the runbook used if no rule matches; null: none. */
  default: string | null;
  /** Returns whether this URL may be read for an alert. */
  mayRead(url: URL): boolean;
}

/** Runbook for an alert, and the reason for the match. */
export interface RunbookMatch {
  by: RunbookRuleKind;
  /** Its name, or the name in a rule if no such runbook exists; null: none matches. */
  runbook: string | null;
  /** A URL to read for this alert, in place of a stored runbook. */
  read: URL | null;
  /** Reason in plain sentences. */
  why: string;
  /** Names of others that match equally well. */
  ambiguous: string[];
}

/** The label that holds an alert's name in Prometheus and similar systems. */
const ALERT_NAME = 'alertname';
/** Longest `runbook_url` that is considered. */
const MOST_URL = 2_048;

/**
 * Finds the runbook for an alert, by the first of these that matches. First its `runbook_url`: the URL, name
 * or end of the path of a runbook, or a URL that may be read. Then labels (the rule with more of them wins),
 * the alert type, and the alert's name. Last the default. Of several equal matches the first by name is used.
 * @param unreadable Reason why the URL in `runbook_url` could not be read; it is not used again.
 */
export function matchRunbook(
  question: RunbookQuestion,
  rules: RunbookRules,
  unreadable: string | null = null,
): RunbookMatch {
  const ofUrl = byUrl(question.url, rules, unreadable);
  if (typeof ofUrl !== 'string') return ofUrl;
  const match = byRules(question, rules) ?? byName(question, rules) ?? byDefault(rules);
  return { ...match, why: ofUrl === '' ? match.why : `${match.why} ${ofUrl}` };
}

/** Match for the URL of an alert, or the reason why there is none. */
function byUrl(
  url: string | undefined,
  rules: RunbookRules,
  unreadable: string | null,
): RunbookMatch | string {
  const reference = url?.trim() ?? '';
  if (reference === '') return '';
  if (unreadable !== null)
    return byLastParts(reference, rules) ?? `The runbook_url of the alert could not be read: ${unreadable}`;
  if (reference.length > MOST_URL)
    return `The runbook_url of the alert has more than ${MOST_URL} characters.`;
  const names = rules.runbooks.filter((one) => isCalled(one, reference)).map(({ name }) => name);
  if (names.length > 0)
    return singleMatch(names, 'url', 'The runbook_url of the alert is its address or name.');
  const address = normalisedUrl(reference);
  if (address === null)
    return (
      byLastParts(reference, rules) ??
      'The runbook_url of the alert is neither an address nor the name of a runbook.'
    );
  if (!rules.mayRead(address))
    return (
      byLastParts(reference, rules) ??
      `The runbook_url of the alert was not followed: ${address.hostname} is not an allowed host, and no runbook has a path that ends so.`
    );
  const why = 'The runbook_url of the alert leads to it.';
  return { by: 'url', runbook: null, read: address, why, ambiguous: [] };
}

/** Matches a runbook imported from elsewhere whose path ends as the URL does. */
function byLastParts(reference: string, { runbooks }: RunbookRules): RunbookMatch | null {
  const names = best(runbooks, (one) => sameLastParts(one, reference));
  return names.length === 0
    ? null
    : singleMatch(names, 'url', 'The runbook_url of the alert ends as its path does.');
}

function byName({ labels, alertType }: RunbookQuestion, { runbooks }: RunbookRules): RunbookMatch | null {
  const called = [...(Object.hasOwn(labels, ALERT_NAME) ? [labels[ALERT_NAME] ?? ''] : []), alertType];
  const names = best(runbooks, (one) => Math.max(...called.map((name) => isNamed(one, name))));
  return names.length === 0 ? null : singleMatch(names, 'name', 'It has the name of the alert.');
}

/** Names of the runbooks with the highest score; none if it is 0. */
function best(runbooks: RunbookRules['runbooks'], score: (runbook: NamedRunbook) => number): string[] {
  const scores = runbooks.map(score);
  const highest = Math.max(0, ...scores);
  return highest === 0 ? [] : runbooks.filter((_, i) => scores[i] === highest).map(({ name }) => name);
}

function byRules(
  { labels, alertType }: RunbookQuestion,
  { runbooks, rules }: RunbookRules,
): RunbookMatch | null {
  const own = runbooks.map((one): RunbookRule => ({ ...one, runbook: one.name }));
  const fitting = [...rules, ...own].filter((rule) => fits(rule, labels, alertType));
  const most = Math.max(0, ...fitting.map(runbookRuleCount));
  const strongest = fitting.filter((rule) => runbookRuleCount(rule) === most);
  const names = strongest.map(({ runbook }) => referencedName(runbook, runbooks));
  const [first] = strongest;
  if (first === undefined) return null;
  if (most === 0) return singleMatch(names, 'alert type', 'A rule names it for this type of alert.');
  const [chosenName] = [...names].sort();
  const rule = strongest[names.indexOf(chosenName ?? '')] ?? first;
  const labelTexts = Object.entries(rule.labels).map(([label, value]) => `${label}=${value}`);
  return singleMatch(names, 'labels', `A rule names it for the labels ${labelTexts.sort().join(', ')}.`);
}

const runbookRuleCount = ({ labels }: RunbookRule): number => Object.keys(labels).length;

/** A rule with neither labels nor alerts matches no alert. */
function fits(rule: RunbookRule, labels: RunbookQuestion['labels'], alertType: string): boolean {
  if (runbookRuleCount(rule) === 0 && rule.alerts.length === 0) return false;
  if (rule.alerts.length > 0 && !rule.alerts.includes(alertType)) return false;
  return Object.entries(rule.labels).every(
    ([label, value]) => Object.hasOwn(labels, label) && labels[label] === value,
  );
}

function byDefault({ default: reference, runbooks }: RunbookRules): RunbookMatch {
  if (reference === null)
    return {
      by: 'default',
      runbook: null,
      read: null,
      why: 'No rule fits this alert, and there is no default runbook.',
      ambiguous: [],
    };
  return singleMatch(
    [referencedName(reference, runbooks)],
    'default',
    'No rule fits this alert: it is the default runbook.',
  );
}

function singleMatch(names: readonly string[], by: RunbookMatch['by'], why: string): RunbookMatch {
  const [runbook = null, ...ambiguous] = [...new Set(names)].sort();
  const others =
    ambiguous.length === 0 ? '' : ` As well fit: ${ambiguous.join(', ')}; it is the first by name.`;
  return { by, runbook, read: null, why: `${why}${others}`, ambiguous };
}

/** Name of the runbook that a rule refers to; an unknown reference stays unchanged. */
export function referencedName(reference: string, runbooks: readonly RunbookReference[]): string {
  return runbooks.find((one) => isCalled(one, reference))?.name ?? reference;
}

/** Fields by which rules refer to a runbook. */
type RunbookReference = Pick<RunbookRules['runbooks'][number], 'name' | 'address'>;

function isCalled({ name, address }: RunbookReference, reference: string): boolean {
  if (reference === name || reference === address) return true;
  const at = normalisedUrl(reference);
  if (at !== null) return address !== null && normalisedUrl(address)?.href === at.href;
  return (
    reference.length <= 200 && idOfFile(/\.\w{1,8}$/.test(reference) ? reference : `${reference}.md`) === name
  );
}

/**
 * Normalises an HTTP URL: removes the fragment, and resolves GitHub's file pages. Returns null if it is not a
 * URL.
 */
export function normalisedUrl(text: string): URL | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  url.hash = '';
  return rawOnGitHub(url);
}

/** URL of the raw text of a file that GitHub shows as a page; any other URL unchanged. */
function rawOnGitHub(url: URL): URL {
  if (url.host !== 'github.com') return url;
  const [, owner, repository, kind, ...rest] = url.pathname.split('/');
  if ((kind !== 'blob' && kind !== 'raw') || rest.length < 2) return url;
  return new URL(`https://raw.githubusercontent.com/${owner}/${repository}/${rest.join('/')}`);
}
