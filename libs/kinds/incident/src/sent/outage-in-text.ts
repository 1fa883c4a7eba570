import {
  compilePhrases,
  phraseLine,
  phrasesIn,
  type PhraseLists,
} from '@casefile/pipeline/language/find-phrases';
import { MONTH_STARTS } from '@casefile/pipeline/reading/index';
import { endsOf, messageSigns, type MessageSign } from '@casefile/pipeline/text-signals/message-signs';
import lists from './outage-words.json' with { type: 'json' };
import { severityInText } from './severity.js';
import { stateInLines, textStateIn } from './state.js';

/** Outage words of a text, and signs of a message to a person. */
export interface OutageReading {
  /** Words that describe the outage, as the text has them. */
  words: string[];
  /** Signs of a message to a person. Empty: the text is no message. */
  signs: MessageSign[];
}

/** Maximum number of found words that are shown. */
const SHOWN = 4;
/** Maximum number of words that are searched per list. */
const MOST = 6;
/**
 * Number of different outage words that a text in the first person needs, because people describe everyday
 * failures in such words too.
 */
const ENOUGH_IN_TALK = 3;
const MOST_LINES = 400;

/** Forms of log lines. A text with such lines is not a message to a person. */
const LOG_LINES = [
  /^\s{0,8}[[(<]?\d{4}[-/.]\d\d[-/.]\d\d[T ,]\d\d:\d\d/,
  new RegExp(String.raw`^\s{0,8}[[(<]?(?:${MONTH_STARTS})[a-z]{0,6}\s{1,2}\d{1,2}\s\d\d:\d\d:\d\d`, 'i'),
  /(?:^|\s)(?:level|severity|lvl)=["']?(?:error|warn|fatal|crit|panic)/i,
  /^\s{1,8}at\s[\w$.<>]{1,200}\(/,
];
/** Forms of lines of alert templates, and marks of an alert's state. */
const TEMPLATE_LINES = [
  /^\s{0,8}[[(<]?(?:error|err|warn|warning|fatal|crit|critical|panic|emerg|alert|firing|problem|triggered|resolved|recovery|ok|down)(?::\d{1,4})?[\])>:]/i,
  /^\s{0,8}\*{1,5}\s?(?:problem|recovery|acknowledgement|nagios|icinga|zabbix)\b/i,
  /^\s{0,8}(?:alert|alert ?name|severity|priority|status|state|host|hostname|node|service|instance|notification type|trigger|trigger name|monitor|metric|threshold|current value|value|date\/time|date|time|address|additional info|info|environment|env|problem|problem name|namespace|pod|cluster|region|labels|annotations|summary|started|started at|start time|event id|duration|reason|error|check)\s{0,3}[:=]\s{0,3}\S/i,
];
/** A resource that is nearly used up: "disk on db-1 at 98 %". */
const USED_UP =
  /(?<!\p{L})(?:cpu|disk|disks|memory|ram|heap|swap|inodes?|storage|filesystem|load|pool|queue|volume|platte|festplatte|disque|disco|диск|磁盘|磁碟|ディスク|디스크)(?!\p{L})[^\n%]{0,60}?(?<!\d)((?:9\d|100)(?:[.,]\d{1,3})?\s?%)/iu;
/**
 * Number of lines of this form that a text needs, because a message of a person may begin with a single one.
 */
const LEAST_MACHINE_LINES = 2;

const compiled = () => {
  const systems: PhraseLists = lists.systems;
  return {
    errors: compilePhrases(lists.errors),
    systems: compilePhrases({ any: lists.systems.any }),
    critical: compilePhrases(lists.critical),
    languages: Object.entries(lists.failing).map(([language, list]) => ({
      language,
      failing: compilePhrases({ [language]: list }),
      systems: systems[language] === undefined ? [] : compilePhrases({ [language]: systems[language] }),
    })),
  };
};
/** Compiled at the first text, because most processes never read one. */
let phraseLists: ReturnType<typeof compiled> | null = null;

/**
 * Returns the outage words of a text: a known error, a system with a word for its failure, or a report of a
 * program. Returns null if there are none. Lines of a program are no message to a person. In a text of a
 * program, links are no sign of one either, unless the program reports success. Takes linear time. Of a long
 * text only the beginning and the end are read.
 */
export function outageInText(text: string): OutageReading | null {
  const read = endsOf(text);
  const lines = read.split('\n', MOST_LINES).filter((line) => line.trim() !== '');
  const has = (line: string, forms: RegExp[]) => forms.some((form) => form.test(line.slice(0, 400)));
  const logged = new Set(lines.filter((line) => has(line, LOG_LINES)));
  const written = lines.filter((line) => logged.has(line) || has(line, TEMPLATE_LINES)).length;
  const isMachine = written >= LEAST_MACHINE_LINES;
  const severity = severityInText(read);
  const state = textStateIn(read, severity === 'critical') ?? stateInLines(read);
  const { words, languages } = failureIn(read);
  const isReported = (isMachine || written === lines.length) && (state !== null || severity !== 'unknown');
  if (words.length === 0 && !isReported) return null;
  const isFine = state === 'resolved' || state === 'test';
  const said = lines.filter((line) => !logged.has(line)).join('\n');
  const spoken = messageSigns(said, languages);
  const whole = isMachine && !isFine ? ['number', 'offer'] : ['number', 'offer', 'link'];
  const signs = ([...spoken, ...messageSigns(text, languages)] as MessageSign[]).filter(
    (sign) => whole.includes(sign) || (sign !== 'link' && sign !== 'talk' && spoken.has(sign)),
  );
  if (signs.length === 0 && spoken.has('talk') && words.length < ENOUGH_IN_TALK) return null;
  return { words: words.slice(0, SHOWN), signs: [...new Set(signs)] };
}

/** Returns whether a text calls its subject critical, in one of many languages. */
export function isCalledCritical(text: string): boolean {
  phraseLists ??= compiled();
  return phrasesIn(phraseLine(endsOf(text)), phraseLists.critical, 1).length > 0;
}

/** Returns the words for a failure in a text, with the languages in which it is described. */
function failureIn(text: string): { words: string[]; languages: string[] } {
  const line = phraseLine(text);
  phraseLists ??= compiled();
  const errors = phrasesIn(line, phraseLists.errors, MOST);
  const systems = phrasesIn(line, phraseLists.systems, MOST);
  const described = phraseLists.languages.flatMap((one) => {
    const failing = phrasesIn(line, one.failing, MOST);
    const named = failing.length === 0 ? [] : [...phrasesIn(line, one.systems, MOST), ...systems];
    return named.length === 0 ? [] : [{ language: one.language, words: [...failing, ...named] }];
  });
  const [most] = described.toSorted((a, b) => b.words.length - a.words.length);
  return {
    words: [...new Set([...errors, ...(USED_UP.exec(text)?.slice(0, 1) ?? []), ...(most?.words ?? [])])],
    languages: described.map(({ language }) => language),
  };
}
