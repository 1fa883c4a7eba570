import { seededRandom, type JsonObject } from '@casefile/contracts';

/** Two posts of one sender, and whether they report the same problem. */
export interface AlertPair {
  sender: string;
  same: boolean;
  posts: [JsonObject, JsonObject];
}

/** A problem as a monitoring system knows it. */
interface Problem {
  check: string;
  checkId: string;
  host: string;
  service: string;
  region: string;
}

const CHECKS = [
  'Disk usage',
  'Replication lag',
  'HTTP check of checkout',
  'Certificate expiry',
  'Queue length orders',
  'p99 latency',
  'Failed logins',
  'Backup of ledger',
];
const SERVICES = ['checkout', 'orders', 'ledger', 'search', 'mail'];
const WORDS = ['Down', 'CRITICAL', 'firing', 'PROBLEM', 'alerting'];

/** Moment of a post: its time, a measured value, counters, and ids of the message. */
interface Moment {
  at: string;
  epoch: number;
  value: number;
  count: number;
  message: string;
}

/** Forms of posts without a known shape. Each has parts that differ in every message. */
const FORMS: Record<string, (problem: Problem, moment: Moment, state: string) => JsonObject> = {
  'check with an id': ({ check, checkId, host }, { at, value, message }, state) => ({
    check_name: check,
    check_id: checkId,
    host,
    status: state,
    result_id: message,
    started_at: at,
    output: `value ${value}`,
  }),
  'name and host': ({ check, host }, { at, value }, state) => ({
    title: `${check} on ${host}: ${value} % (${state})`,
    hostname: host,
    severity: 'critical',
    time: at,
  }),
  'host and service': ({ host, service }, { at, value }, state) => ({
    host_name: host,
    service_name: service,
    service_state: state,
    service_output: `${state} - ${value} ms`,
    date: at,
  }),
  'title with a counter': ({ check, service, region }, { epoch, count }, state) => ({
    subject: `[${state}] ${check} ${service} ${region}: ${count} failures in 5 min`,
    priority: 'P1',
    timestamp: epoch,
  }),
  'list of facts': ({ check, host, service }, { at, value }, state) => ({
    title: `Monitoring (${state})`,
    sections: [
      {
        activityTitle: `${check} over ${value} %`,
        facts: [
          { name: 'service', value: service },
          { name: 'host', value: host },
          { name: 'time', value: at },
        ],
      },
    ],
  }),
  'id next to a state': ({ check, checkId }, { at }, state) => ({
    id: checkId,
    title: check,
    state,
    updatedAt: at,
    priority: 'CRITICAL',
  }),
  'nested rule': ({ check, checkId, service }, { at, message }, state) => ({
    rule: { id: checkId, name: check },
    resource: service,
    state,
    event_id: message,
    date: at,
  }),
  labels: ({ check, host, service }, { epoch, value }, state) => ({
    name: check,
    tags: [`host:${host}`, `service:${service}`, 'severity:critical'],
    status: state,
    current_value: value,
    ts: epoch,
  }),
};

/** Returns pairs of posts, the same for the same seed. Half of them report the same problem. */
export function generatedPairs(count: number, seed: number): AlertPair[] {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const number = (below: number) => Math.floor(random() * below);
  const problem = (): Problem => ({
    check: pick(CHECKS),
    checkId: `c-${number(1e6)}`,
    host: `web-${number(40)}`,
    service: pick(SERVICES),
    region: `eu-${number(9)}`,
  });
  const moment = (): Moment => {
    const epoch = 1_764_000_000 + number(1_000_000);
    const at = new Date(epoch * 1000).toISOString();
    return {
      at,
      epoch,
      value: 50 + number(4_900) / 100,
      count: 2 + number(900),
      message: `m-${number(1e9)}`,
    };
  };
  const other = (one: Problem): Problem => {
    const next = { ...one, checkId: `c-${number(1e6)}` };
    // A problem differs in one part: the check, the host or the service.
    const part = pick(['check', 'host', 'service'] as const);
    if (part === 'check') next.check = pick(CHECKS.filter((check) => check !== one.check));
    if (part === 'host') next.host = `db-${number(40)}`;
    if (part === 'service') next.service = pick(SERVICES.filter((service) => service !== one.service));
    return next;
  };
  const forms = Object.entries(FORMS);
  return Array.from({ length: count }, (_, i): AlertPair => {
    const [sender, form] = forms[i % forms.length]!;
    const same = Math.floor(i / forms.length) % 2 === 0;
    const one = problem();
    const two = same ? one : other(one);
    const posts: [JsonObject, JsonObject] = [
      form(one, moment(), pick(WORDS)),
      form(two, moment(), same && random() < 0.3 ? 'OK' : pick(WORDS)),
    ];
    return { sender, same, posts };
  }).filter(({ same, posts }) => same || differs(posts));
}

// A form without the part that differs makes posts that nobody can distinguish.
function differs([one, two]: [JsonObject, JsonObject]): boolean {
  const text = (post: JsonObject) =>
    JSON.stringify(post).replace(
      /\d{4}-\d\d-\d\dT[\d:.]+Z|m-\d+|\d+(?:\.\d+)?(?= (?:%|ms|failures))|value \d+(?:\.\d+)?|1764\d+/g,
      '',
    );
  const plain = (post: JsonObject) =>
    text(post).replace(/Down|CRITICAL|firing|PROBLEM|alerting|OK|"(?:current_value|ts)":[\d.]+/g, '');
  return plain(one) !== plain(two);
}
