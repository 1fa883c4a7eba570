// Programs besides Node that some specs need. If missing, they are installed for root on Debian. Elsewhere
// the specs are skipped, and `npm test` reports which and how to enable them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../root.mjs';

const PROGRAMS = [
  {
    name: 'redis-server',
    install: 'apt-get install redis-server, or set CASEFILE_TEST_REDIS to the address of an empty Redis',
    isThere: () => Boolean(process.env.CASEFILE_TEST_REDIS) || isOnPath('redis-server'),
    usedBy: /\b(?:testRedis|startRedis|redisBinary|redisScratch)\b/,
  },
  {
    name: 'chromium',
    install: 'apt-get install chromium-headless-shell, so that it is at /usr/bin/chromium-headless-shell',
    isThere: () => existsSync('/usr/bin/chromium-headless-shell') || existsSync('/usr/bin/chromium'),
    usedBy: /\bstartChromium\b/,
  },
  {
    name: 'prometheus-alertmanager',
    install: 'apt-get install prometheus-alertmanager, so that it is at /usr/bin/prometheus-alertmanager',
    isThere: () => existsSync('/usr/bin/prometheus-alertmanager'),
    usedBy: /\b(?:startAlertmanager|startConfiguredAlertmanager|runAlerts)\b/,
  },
  {
    name: 'pgbouncer',
    install: 'apt-get install pgbouncer, so that it is at /usr/sbin/pgbouncer',
    isThere: () => existsSync('/usr/sbin/pgbouncer'),
    usedBy: /\bstartPgbouncer\b/,
  },
  {
    name: 'prometheus',
    install: 'apt-get install prometheus, so that it is at /usr/bin/prometheus',
    isThere: () => existsSync('/usr/bin/prometheus'),
    usedBy: /\bstartPrometheus\b/,
  },
];

/** Returns whether a program is installed, or can be installed by the specs when needed. */
export function canBeHad({ isThere }) {
  return isThere() || (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'));
}

/**
 * Returns the unavailable programs with the spec files skipped for them: `{ name, install, files }`, files
 * relative to the root.
 */
export function leftOut(has = canBeHad) {
  return PROGRAMS.filter((program) => !has(program)).map(({ name, install, usedBy }) => ({
    name,
    install,
    files: specs().filter((file) => usedBy.test(sourceOf(file))),
  }));
}

function specs() {
  const sources = ['libs', 'libs/kinds', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name, 'src')),
  );
  return sources
    .filter((source) => existsSync(join(root, source)))
    .flatMap((source) =>
      readdirSync(join(root, source), { recursive: true }).map((file) => join(source, String(file))),
    )
    .filter((file) => file.endsWith('.spec.ts'))
    .sort();
}

/** Suites of specs, and what starts their programs. */
const PART = /from '(\.{1,2}\/[^']*(?:\.suite|\.browser|-stage|paused-evolution))\.js'/g;

/** Returns the source of a spec with that of its suites and their parts. */
export function sourceOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const parts = [...text.matchAll(PART)].map(([, path]) => join(dirname(file), `${path}.ts`));
  return [text, ...parts.map(sourceOf)].join('\n');
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}
