import type { AccessEntry } from '@casefile/runtime';
import { ACKNOWLEDGE_PATH } from './acknowledge-page.js';
import type { Route } from './http/route.js';
import { SOCKET_PATH } from './live/serve-sockets.js';

/** Paths by which people sign in and out. Each checks its request itself. */
const SIGN_IN_PATHS: readonly AccessEntry[] = [
  { method: 'get', path: '/auth/sign-in', right: 'open', about: 'begin of a sign-in at the provider' },
  { method: 'get', path: '/auth/callback', right: 'open', about: 'end of a sign-in at the provider' },
  { method: 'get', path: '/auth/session', right: 'open', about: 'person of the session, or none' },
  { method: 'post', path: '/auth/key', right: 'open', about: 'sign-in with a personal key' },
  { method: 'post', path: '/auth/sign-out', right: 'open', about: 'end of the session' },
];

/** Links by which people acknowledge pages. Each is proved by its token alone. */
const LINK_PATHS: readonly AccessEntry[] = [
  {
    method: 'get',
    path: `${ACKNOWLEDGE_PATH}/{token}`,
    right: 'open',
    about: 'page of a link in a message; changes nothing',
  },
  {
    method: 'post',
    path: `${ACKNOWLEDGE_PATH}/{token}`,
    right: 'open',
    about: 'acknowledges the page whose message has the link',
  },
];

/** Paths of the console in addition to its API. The documents describe the API and hold no data. */
const OTHER_PATHS: readonly AccessEntry[] = [
  { method: '*', path: '/queues/**', right: 'operator', about: 'queue board' },
  { method: 'get', path: SOCKET_PATH, right: 'viewer', about: 'events over a WebSocket' },
  { method: 'get', path: '/api/docs/**', right: 'open', about: 'API page' },
  { method: 'get', path: '/api/openapi.json', right: 'open', about: 'API document of the console' },
  { method: 'get', path: '/api/openapi-ingest.json', right: 'open', about: 'API document of ingest' },
];

/** Path of the API that answers from memory while the database is unavailable. */
const WITHOUT_STORE = '/conditions';

/** Returns the paths of the console with the right that each requires. */
export function consoleEntries(routes: readonly Route[]): AccessEntry[] {
  const ofApi = routes.map(({ method, path, right, operationId }): AccessEntry => {
    const entry = { method, path: `/api/v1${path}`, right, about: operationId };
    return path === WITHOUT_STORE ? { ...entry, withoutStore: true } : entry;
  });
  return [...ofApi, ...SIGN_IN_PATHS, ...LINK_PATHS, ...OTHER_PATHS];
}
