import { InvalidInput } from '@casefile/contracts';

/** One server of an address. */
export interface RedisNode {
  host: string;
  port: number;
}

/** What a URL of a Redis says. */
export interface RedisAddress {
  form: 'single' | 'cluster' | 'sentinel';
  /** The server, the known nodes of a cluster, or the sentinels. At least one. */
  nodes: [RedisNode, ...RedisNode[]];
  isEncrypted: boolean;
  username?: string;
  password?: string;
  /** Number of the database. A cluster has only 0. */
  database: number;
  /** Name under which sentinels know the master; '' for other forms. */
  master: string;
  sentinelPassword?: string;
}

/** The forms that are accepted, for messages. */
export const REDIS_FORMS =
  'redis://HOST:PORT/DATABASE, redis+cluster://HOST:PORT,HOST:PORT or redis+sentinel://HOST:PORT,HOST:PORT/MASTER (rediss for TLS)';

const SCHEME = /^(rediss?)(\+cluster|\+sentinel)?:\/\//;
const NODE = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const DEFAULT_PORT = { single: 6_379, cluster: 6_379, sentinel: 26_379 } as const;

/** Returns whether a URL names a Redis, in any form. */
export const isRedisUrl = (url: string): boolean => SCHEME.test(url);

/**
 * Reads the URL of a Redis. The form with several hosts is that of other clients; `URL` cannot read it.
 * @throws InvalidInput that names `QUEUE_URL` and what was expected, without the password.
 */
export function readRedisAddress(url: string): RedisAddress {
  const scheme = SCHEME.exec(url);
  if (scheme === null) throw expected(REDIS_FORMS);
  const form = scheme[2] === '+cluster' ? 'cluster' : scheme[2] === '+sentinel' ? 'sentinel' : 'single';
  const [place = '', query = ''] = url.slice(scheme[0].length).split('?', 2);
  const at = place.lastIndexOf('@');
  const [hosts = '', ...path] = place.slice(at + 1).split('/');
  const nodes = hosts.split(',').map((host) => readNode(host, form, scheme[1] + (scheme[2] ?? '')));
  if (form === 'single' && nodes.length > 1) throw expected('one host, or redis+cluster:// with several');
  const sentinelPassword = new URLSearchParams(query).get('sentinelPassword');
  return {
    form,
    nodes: nodes as RedisAddress['nodes'],
    isEncrypted: scheme[1] === 'rediss',
    ...credentials(at < 0 ? '' : place.slice(0, at)),
    ...readPath(form, path),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
  };
}

function readNode(text: string, form: RedisAddress['form'], scheme: string): RedisNode {
  // `redis://` alone and `redis://:password@/3` mean this host.
  const node = NODE.exec(
    form === 'single' && (text === '' || text.startsWith(':')) ? `localhost${text}` : text,
  );
  const port = Number(node?.[2] ?? DEFAULT_PORT[form]);
  if (node?.[1] === undefined || port === 0 || port > 65_535) throw expected(`HOST:PORT after ${scheme}://`);
  return { host: node[1].replace(/^\[|\]$/g, ''), port };
}

function credentials(text: string): Pick<RedisAddress, 'username' | 'password'> {
  const colon = text.indexOf(':');
  const [username, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  return {
    ...(username === '' ? {} : { username: decoded(username) }),
    ...(password === '' ? {} : { password: decoded(password) }),
  };
}

/** A password may be written without percent encoding, as ioredis allows it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readPath(form: RedisAddress['form'], path: string[]): Pick<RedisAddress, 'master' | 'database'> {
  const master = form === 'sentinel' ? decoded(path[0] ?? '') : '';
  if (form === 'sentinel' && master === '')
    throw expected('the name of the master: redis+sentinel://HOST:PORT/MASTER');
  const database = Number((form === 'sentinel' ? path[1] : path[0]) || 0);
  if (!Number.isInteger(database) || database < 0) throw expected('the number of a database after the host');
  if (form === 'cluster' && database !== 0) throw expected('no number of a database: a cluster has only 0');
  return { master, database };
}

function expected(what: string): InvalidInput {
  return new InvalidInput([{ path: 'QUEUE_URL', message: `expected ${what}` }], 'queue address');
}
