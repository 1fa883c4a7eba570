import type { RunbookQuestion, RunbookRuleKind } from '@casefile/contracts';
import { idOfFile } from '../files.js';
import { isNamed, sameLastParts, type NamedRunbook } from './runbook-names.js';

/** For which alerts a runbook is. Where it has both labels and alerts, both must fit. */
export interface RunbookRule {
  /** Name of the runbook, or its address. */
  runbook: string;
  /** All of them must have these values. */
  labels: Readonly<Record<string, string>>;
  /** One of them must be the type of the alert; none: any. */
  alerts: readonly string[];
}

/** What an alert is matched with. */
export interface RunbookRules {
  runbooks: readonly (NamedRunbook & {
    labels: Readonly<Record<string, string>>;
    alerts: readonly string[];
  })[];
  rules: readonly RunbookRule[];
  /** Taken when no rule fits: its name or address; null: none. */
  default: string | null;
  /** May what is at this address be read for an alert? */
  mayRead(url: URL): boolean;
}

/** By which rule which runbook is for an alert. */
export interface RunbookMatch {
  by: RunbookRuleKind;
  /** Its name, or what a rule calls one that is not there; null: none fits. */
  runbook: string | null;
  /** An address to be read for this alert, in place of a runbook that is there. */
  read: URL | null;
  /** Plain sentences. */
  why: string;
  /** Names of others that fit equally well. */
  ambiguous: string[];
}

/** The label by which Prometheus and its kin name an alert. */
const ALERT_NAME = 'alertname';
/** Characters of a `runbook_url` that can name anything. */
const MOST_URL = 2_048;

/**
 * The runbook for an alert: by its `runbook_url`, when that is the address or the name of a runbook or an address that may be
 * read, or ends as the path of a runbook; else by labels, where the rule with more of them wins; else by alert type; else by
 * its name, which is that of the alert; else the default. Of several that fit equally well the first by name is taken. S2-41.
 * @param unreadable Why the address of the `runbook_url` could not be read: it is not taken again.
 */
export function matchRunbook(
  question: RunbookQuestion,
  rules: RunbookRules,
  unreadable: string | null = null,
): RunbookMatch {
  const ofUrl = byUrl(question.url, rules, unreadable);
  if (typeof ofUrl !== 'string') return ofUrl;
  const found = byRules(question, rules) ?? byName(question, rules) ?? byDefault(rules);
  return { ...found, why: ofUrl === '' ? found.why : `${found.why} ${ofUrl}` };
}

/** What the URL of an alert leads to, or why it leads nowhere. */
function byUrl(
  url: string | undefined,
  rules: RunbookRules,
  unreadable: string | null,
): RunbookMatch | string {
  const said = url?.trim() ?? '';
  if (said === '') return '';
  if (unreadable !== null)
    return byLastParts(said, rules) ?? `The runbook_url of the alert could not be read: ${unreadable}`;
  if (said.length > MOST_URL) return `The runbook_url of the alert has more than ${MOST_URL} characters.`;
  const names = rules.runbooks.filter((one) => isCalled(one, said)).map(({ name }) => name);
  if (names.length > 0) return oneOf(names, 'url', 'The runbook_url of the alert is its address or name.');
  const address = addressOf(said);
  if (address === null)
    return (
      byLastParts(said, rules) ??
      'The runbook_url of the alert is neither an address nor the name of a runbook.'
    );
  if (!rules.mayRead(address))
    return (
      byLastParts(said, rules) ??
      `The runbook_url of the alert was not followed: ${address.hostname} is not an allowed host, and no runbook has a path that ends so.`
    );
  const why = 'The runbook_url of the alert leads to it.';
  return { by: 'url', runbook: null, read: address, why, ambiguous: [] };
}

/** A runbook that was imported from elsewhere: its path ends as the address does. */
function byLastParts(said: string, { runbooks }: RunbookRules): RunbookMatch | null {
  const names = best(runbooks, (one) => sameLastParts(one, said));
  return names.length === 0
    ? null
    : oneOf(names, 'url', 'The runbook_url of the alert ends as its path does.');
}

function byName({ labels, alertType }: RunbookQuestion, { runbooks }: RunbookRules): RunbookMatch | null {
  const called = [...(Object.hasOwn(labels, ALERT_NAME) ? [labels[ALERT_NAME] ?? ''] : []), alertType];
  const names = best(runbooks, (one) => Math.max(...called.map((name) => isNamed(one, name))));
  return names.length === 0 ? null : oneOf(names, 'name', 'It has the name of the alert.');
}

/** Names of the runbooks with the highest figure; none when that is 0. */
function best(runbooks: RunbookRules['runbooks'], figure: (runbook: NamedRunbook) => number): string[] {
  const figures = runbooks.map(figure);
  const highest = Math.max(0, ...figures);
  return highest === 0 ? [] : runbooks.filter((_, i) => figures[i] === highest).map(({ name }) => name);
}

function byRules(
  { labels, alertType }: RunbookQuestion,
  { runbooks, rules }: RunbookRules,
): RunbookMatch | null {
  const own = runbooks.map((one): RunbookRule => ({ ...one, runbook: one.name }));
  const fitting = [...rules, ...own].filter((rule) => fits(rule, labels, alertType));
  const most = Math.max(0, ...fitting.map(countOf));
  const strongest = fitting.filter((rule) => countOf(rule) === most);
  const names = strongest.map(({ runbook }) => nameOf(runbook, runbooks));
  const [first] = strongest;
  if (first === undefined) return null;
  if (most === 0) return oneOf(names, 'alert type', 'A rule names it for this type of alert.');
  const [taken] = [...names].sort();
  const rule = strongest[names.indexOf(taken ?? '')] ?? first;
  const said = Object.entries(rule.labels).map(([label, value]) => `${label}=${value}`);
  return oneOf(names, 'labels', `A rule names it for the labels ${said.sort().join(', ')}.`);
}

const countOf = ({ labels }: RunbookRule): number => Object.keys(labels).length;

/** A rule that says neither labels nor alerts is for no alert. */
function fits(rule: RunbookRule, labels: RunbookQuestion['labels'], alertType: string): boolean {
  if (countOf(rule) === 0 && rule.alerts.length === 0) return false;
  if (rule.alerts.length > 0 && !rule.alerts.includes(alertType)) return false;
  return Object.entries(rule.labels).every(
    ([label, value]) => Object.hasOwn(labels, label) && labels[label] === value,
  );
}

function byDefault({ default: said, runbooks }: RunbookRules): RunbookMatch {
  if (said === null)
    return {
      by: 'default',
      runbook: null,
      read: null,
      why: 'No rule fits this alert, and there is no default runbook.',
      ambiguous: [],
    };
  return oneOf([nameOf(said, runbooks)], 'default', 'No rule fits this alert: it is the default runbook.');
}

function oneOf(names: readonly string[], by: RunbookMatch['by'], why: string): RunbookMatch {
  const [runbook = null, ...ambiguous] = [...new Set(names)].sort();
  const others =
    ambiguous.length === 0 ? '' : ` As well fit: ${ambiguous.join(', ')}; it is the first by name.`;
  return { by, runbook, read: null, why: `${why}${others}`, ambiguous };
}

/** What a rule calls a runbook, as its name; one that is not there keeps what it is called. */
export function nameOf(said: string, runbooks: readonly Called[]): string {
  return runbooks.find((one) => isCalled(one, said))?.name ?? said;
}

/** What tells a runbook from others in rules. */
type Called = Pick<RunbookRules['runbooks'][number], 'name' | 'address'>;

function isCalled({ name, address }: Called, said: string): boolean {
  if (said === name || said === address) return true;
  const at = addressOf(said);
  if (at !== null) return address !== null && addressOf(address)?.href === at.href;
  return said.length <= 200 && idOfFile(/\.\w{1,8}$/.test(said) ? said : `${said}.md`) === name;
}

/** An HTTP address without what does not change what is read: fragment, and how GitHub shows a file. null: it is none. */
export function addressOf(said: string): URL | null {
  if (!/^https?:\/\//i.test(said) || !URL.canParse(said)) return null;
  const url = new URL(said);
  url.hash = '';
  return rawOnGitHub(url);
}

/** The address under which GitHub has the text of a file that it shows as a page; any other address as it is. */
function rawOnGitHub(url: URL): URL {
  if (url.host !== 'github.com') return url;
  const [, owner, repository, kind, ...rest] = url.pathname.split('/');
  if ((kind !== 'blob' && kind !== 'raw') || rest.length < 2) return url;
  return new URL(`https://raw.githubusercontent.com/${owner}/${repository}/${rest.join('/')}`);
}
