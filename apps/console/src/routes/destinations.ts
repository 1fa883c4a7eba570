import {
  addDestinationSchema,
  CasefileError,
  changeDestinationSchema,
  destinationActSchema,
  destinationListSchema,
  InvalidInput,
  outboundDeliveryListSchema,
  outboundDeliveryQuerySchema,
  removeDestinationSchema,
  resendSchema,
  resentSchema,
  shownDestinationSchema,
  z,
  type DestinationEntry,
  type ShownDestination,
} from '@casefile/contracts';
import { DEFAULT_URLS, readAddedDestination, shownAddress } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { actOf } from '../http/act-of.js';
import { route } from '../http/route.js';

type DestinationRoutePorts = Pick<ConsolePorts, 'store' | 'destinations'>;

/** Returns the destinations of both sources with their states, by name. */
async function listed({ store, destinations }: DestinationRoutePorts): Promise<ShownDestination[]> {
  const added = await store.destinations.added();
  const names = new Set([...destinations, ...added].map(({ name }) => name));
  const states = await store.destinations.states([...names]);
  return states.flatMap((state): ShownDestination[] => {
    // If two have the same name, the one of the configuration applies.
    const configured = destinations.find(({ name }) => name === state.name);
    if (configured !== undefined) {
      const { type, url, when, allowPrivate } = configured;
      const source = { source: 'configuration', entry: null, changedBy: null, changedAt: null } as const;
      return [{ ...state, type, address: shownAddress(url), when, allowPrivate, ...source }];
    }
    const own = added.find(({ name }) => name === state.name);
    if (own === undefined) return [];
    const { entry, changedBy, changedAt } = own;
    const { url, ...shownEntry } = entry;
    const { type, when, allowPrivate } = entry;
    const address = shownAddress(url ?? DEFAULT_URLS[type] ?? '');
    return [
      {
        ...state,
        type,
        address,
        when,
        allowPrivate,
        source: 'page',
        entry: shownEntry,
        changedBy,
        changedAt,
      },
    ];
  });
}

async function requireDestination(ports: DestinationRoutePorts, name: string): Promise<ShownDestination> {
  const destination = (await listed(ports)).find((one) => one.name === name);
  if (destination === undefined) throw new CasefileError('not_found', 'there is no destination of this name');
  return destination;
}

/** @throws CasefileError `conflict` if the configuration has a destination of this name. */
function refuseConfigured({ destinations }: DestinationRoutePorts, name: string): void {
  if (destinations.some((one) => one.name === name))
    throw new CasefileError(
      'conflict',
      `the destination ${name} is of the configuration: change it in a file of CASEFILE_CONFIG`,
    );
}

/** @throws InvalidInput that names each field. */
async function checked(ports: ConsolePorts, name: string, entry: DestinationEntry): Promise<void> {
  const { playbooks, addedAllowPrivate: allowPrivate } = ports;
  const names = [...ports.destinations, ...(await ports.store.destinations.added())].map((one) => one.name);
  const { problems } = readAddedDestination({ name, entry }, { playbooks, allowPrivate, names });
  if (problems.length > 0)
    throw new InvalidInput(
      problems.map(({ path, message }) => ({ path: `destination.${path}`, message })),
      'destination',
    );
}

const nameParams = { params: z.object({ name: z.string().min(1).max(100) }) };

/** Receivers of verdicts in addition to the queue, and the messages that they got. */
export const destinationRoutes = [
  route({
    method: 'get',
    path: '/destinations',
    operationId: 'listDestinations',
    right: 'reviewer',
    tag: 'destinations',
    summary: 'Destinations of the configuration and added ones, with their state',
    input: {},
    answer:
      '{ destinations }: type, address without its path, what each receives, pause, failures and what waits',
    response: destinationListSchema,
    handler: async (ports) => ({ destinations: await listed(ports) }),
  }),
  route({
    method: 'post',
    path: '/destinations',
    operationId: 'addDestination',
    right: 'admin',
    tag: 'destinations',
    summary:
      'Add a destination: { "name": "archive", "destination": { "type": "webhook", "url": "https://..." } }',
    input: { body: addDestinationSchema },
    problems: [409],
    answer: 'The destination, which is in force within a few seconds. 409: there is one of this name',
    status: 201,
    response: shownDestinationSchema,
    handler: async (ports, { body: { name, destination, ...act } }) => {
      refuseConfigured(ports, name);
      await checked(ports, name, destination);
      await ports.store.destinations.put('add', { name, entry: destination }, actOf(ports, act));
      return requireDestination(ports, name);
    },
  }),
  route({
    method: 'post',
    path: '/destinations/{name}',
    operationId: 'changeDestination',
    right: 'admin',
    tag: 'destinations',
    summary: 'Replace the definition of an added destination',
    input: { ...nameParams, body: changeDestinationSchema },
    problems: [404, 409],
    answer: 'The destination. 409: it is of the configuration',
    response: shownDestinationSchema,
    handler: async (ports, { params: { name }, body: { destination, ...act } }) => {
      refuseConfigured(ports, name);
      const before = (await ports.store.destinations.added()).find((one) => one.name === name)?.entry;
      const keeps = destination.url === undefined && before?.type === destination.type;
      const entry = keeps && before.url !== undefined ? { ...destination, url: before.url } : destination;
      await checked(ports, name, entry);
      await ports.store.destinations.put('change', { name, entry }, actOf(ports, act));
      return requireDestination(ports, name);
    },
  }),
  route({
    method: 'post',
    path: '/destinations/{name}/remove',
    operationId: 'removeDestination',
    right: 'admin',
    tag: 'destinations',
    summary: 'Remove an added destination',
    input: { ...nameParams, body: removeDestinationSchema },
    problems: [404, 409],
    answer: '{ removed }: its name. What waited for it is cancelled. 409: it is of the configuration',
    response: z.object({ removed: z.string() }),
    handler: async (ports, { params: { name }, body }) => {
      refuseConfigured(ports, name);
      if (await ports.store.destinations.remove(name, actOf(ports, body))) return { removed: name };
      throw new CasefileError('not_found', 'there is no destination of this name');
    },
  }),
  // The decision service sends the test, because only it has the secrets.
  route({
    method: 'post',
    path: '/destinations/{name}/test',
    operationId: 'testDestination',
    right: 'operator',
    tag: 'destinations',
    summary: 'Send a test message, also to a paused destination',
    input: { ...nameParams, body: destinationActSchema },
    problems: [404],
    answer: '{ deliveryId }: `GET /deliveries` shows its attempts',
    response: z.object({ deliveryId: z.string() }),
    status: 202,
    handler: async (ports, { params: { name }, body: { by = 'console' } }) => {
      await requireDestination(ports, name);
      const { store, now, newId } = ports;
      const id = newId();
      await store.record.noteOperatorAction('tested-destination', { destination: name, deliveryId: id, by });
      const test = {
        id,
        destination: name,
        kind: 'test' as const,
        key: `test ${id}`,
        caseId: null,
        runId: null,
      };
      await store.destinations.add([{ ...test, openUntil: null }], now());
      return { deliveryId: id };
    },
  }),
  route({
    method: 'post',
    path: '/destinations/{name}/pause',
    operationId: 'pauseDestination',
    right: 'operator',
    tag: 'destinations',
    summary: 'Pause a destination: its deliveries wait',
    input: { ...nameParams, body: destinationActSchema },
    problems: [404],
    answer: 'The destination',
    response: shownDestinationSchema,
    handler: async (
      ports,
      { params: { name }, body: { by = 'console', reason = 'A person paused it.' } },
    ) => {
      await requireDestination(ports, name);
      await ports.store.destinations.pause(name, by, reason, ports.now());
      return requireDestination(ports, name);
    },
  }),
  route({
    method: 'post',
    path: '/destinations/{name}/resume',
    operationId: 'resumeDestination',
    right: 'operator',
    tag: 'destinations',
    summary: 'End the pause of a destination: what waited is sent now',
    input: { ...nameParams, body: destinationActSchema },
    problems: [404],
    answer: 'The destination',
    response: shownDestinationSchema,
    handler: async (ports, { params: { name }, body: { by = 'console', reason = '' } }) => {
      await requireDestination(ports, name);
      await ports.store.destinations.resume(name, by, reason, ports.now());
      return requireDestination(ports, name);
    },
  }),
  route({
    method: 'post',
    path: '/destinations/{name}/resend',
    operationId: 'resendDeliveries',
    right: 'operator',
    tag: 'destinations',
    summary: 'Send waiting and exhausted deliveries since a time now: { "since": "2026-01-05T10:00:00Z" }',
    input: { ...nameParams, body: resendSchema },
    problems: [404],
    answer: '{ resent }: how many',
    response: resentSchema,
    handler: async (ports, { params: { name }, body: { since, state, by = 'console' } }) => {
      await requireDestination(ports, name);
      const states = state === undefined ? (['pending', 'exhausted'] as const) : [state];
      return { resent: await ports.store.destinations.resendSince(name, since, states, by, ports.now()) };
    },
  }),
  route({
    method: 'get',
    path: '/deliveries',
    operationId: 'listDeliveries',
    right: 'reviewer',
    tag: 'destinations',
    summary: 'Deliveries to destinations with every attempt',
    input: { query: outboundDeliveryQuerySchema },
    answer:
      '{ deliveries, nextCursor }, newest first: state, text, and of each attempt time, status, latency and answer',
    response: outboundDeliveryListSchema,
    handler: async ({ store }, { query }) => store.destinations.list(query),
  }),
  route({
    method: 'post',
    path: '/deliveries/{id}/resend',
    operationId: 'resendDelivery',
    right: 'operator',
    tag: 'destinations',
    summary:
      'Send a delivery now, with its id: one that waits, or again one that was delivered or is exhausted',
    input: { params: z.object({ id: z.string().max(100) }), body: destinationActSchema },
    problems: [404],
    answer: '{ resent: 1 }',
    response: resentSchema,
    handler: async ({ store, now }, { params: { id }, body: { by = 'console' } }) => {
      if (await store.destinations.resend(id, by, now())) return { resent: 1 };
      throw new CasefileError('not_found', 'no delivery has this id, or it was cancelled');
    },
  }),
];
