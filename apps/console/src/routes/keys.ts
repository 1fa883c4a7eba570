import {
  accessKeyListSchema,
  accessKeySchema,
  createdKeySchema,
  createKeySchema,
  meSchema,
  revokeKeySchema,
  rotateKeySchema,
  z,
} from '@casefile/contracts';
import { callerFrom, createKey, rotateKey } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { actOf, existing } from '../http/act-of.js';
import { route } from '../http/route.js';

const params = z.object({ id: z.string().max(20) });

const keyPorts = ({ store, now }: Pick<ConsolePorts, 'store' | 'now'>) => ({ keys: store.keys, now });

/** Keys of people and programs, and the caller of a request. */
export const keyRoutes = [
  route({
    method: 'get',
    path: '/me',
    operationId: 'getMe',
    right: 'viewer',
    tag: 'access',
    summary: 'The caller of the request, as its key or session proves',
    input: {},
    answer: '{ name, proof, role }. `proof` none: this installation requires no proof',
    response: meSchema,
    handler: async (_ports, _input, { request }) => {
      const { name, proof, role } = callerFrom(request);
      return { name, proof, role };
    },
  }),
  route({
    method: 'get',
    path: '/keys',
    operationId: 'listKeys',
    right: 'admin',
    tag: 'access',
    summary: 'Access keys, newest first, without their secrets',
    input: {},
    answer: '{ keys }: name, role or scopes, limits, expiry, last use, and who created each',
    response: accessKeyListSchema,
    handler: async ({ store }) => ({ keys: await store.keys.list() }),
  }),
  route({
    method: 'post',
    path: '/keys',
    operationId: 'createKey',
    right: 'admin',
    tag: 'access',
    summary: 'Create an access key: { "name": "mail gateway", "scopes": ["intake"] }',
    input: { body: createKeySchema },
    problems: [409],
    answer:
      'The key with its secret in `key`, which is not stored. 409: a key has this name. If a page of the console creates the first key, the answer also signs its user in by a cookie',
    status: 201,
    response: createdKeySchema,
    handler: async (ports, { body }, { request, response }) => {
      const created = await createKey(keyPorts(ports), body, actOf(ports, body));
      await ports.signInCreator(created, request, response);
      return created;
    },
  }),
  route({
    method: 'post',
    path: '/keys/{id}/rotate',
    operationId: 'rotateKey',
    right: 'admin',
    tag: 'access',
    summary: 'Replace a key by one with the same name and rights. Both are valid during the overlap',
    input: { params, body: rotateKeySchema },
    problems: [404, 409],
    answer: 'The new key with its secret in `key`. 409: the key is revoked or was rotated before',
    status: 201,
    response: createdKeySchema,
    handler: async (ports, { params: { id }, body }) =>
      rotateKey(keyPorts(ports), id, body, actOf(ports, body)),
  }),
  route({
    method: 'post',
    path: '/keys/{id}/revoke',
    operationId: 'revokeKey',
    right: 'admin',
    tag: 'access',
    summary: 'Revoke a key. It is refused within a few seconds',
    input: { params, body: revokeKeySchema },
    problems: [404],
    answer: 'The revoked key',
    response: accessKeySchema,
    handler: async (ports, { params: { id }, body }) =>
      existing('key', id, await ports.store.keys.revoke(id, actOf(ports, body))),
  }),
];
