import {
  CasefileError,
  destinationActSchema,
  destinationListSchema,
  outboundDeliveryListSchema,
  outboundDeliveryQuerySchema,
  resendSchema,
  resentSchema,
  shownDestinationSchema,
  z,
  type ShownDestination,
} from '@casefile/contracts';
import { shownAddress } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

type DestinationRoutePorts = Pick<ConsolePorts, 'store' | 'destinations'>;

async function listed({ store, destinations }: DestinationRoutePorts): Promise<ShownDestination[]> {
  const states = await store.destinations.states(destinations.map(({ name }) => name));
  return states.flatMap((state) => {
    const one = destinations.find(({ name }) => name === state.name);
    if (one === undefined) return [];
    const { type, url, when, allowPrivate } = one;
    return [
      { ...state, type, address: shownAddress(url), when, allowPrivate, source: 'configuration' as const },
    ];
  });
}

async function shown(ports: DestinationRoutePorts, name: string): Promise<ShownDestination> {
  const found = (await listed(ports)).find((one) => one.name === name);
  if (found === undefined)
    throw new CasefileError('not_found', 'the configuration has no destination of this name');
  return found;
}

const named = { params: z.object({ name: z.string().min(1).max(100) }) };

/** Receivers of verdicts besides the queue, and what was sent to them. */
export const destinationRoutes = [
  route({
    method: 'get',
    path: '/destinations',
    operationId: 'listDestinations',
    tag: 'destinations',
    summary: 'Destinations of the configuration, with their state',
    input: {},
    answer:
      '{ destinations }: type, address without its path, what each receives, pause, failures and what waits',
    response: destinationListSchema,
    handler: async (ports) => ({ destinations: await listed(ports) }),
  }),
  // The decision service sends the test, because only it has the secrets.
  route({
    method: 'post',
    path: '/destinations/{name}/test',
    operationId: 'testDestination',
    tag: 'destinations',
    summary: 'Send a test message, also to a paused destination',
    input: { ...named, body: destinationActSchema },
    problems: [404],
    answer: '{ deliveryId }: `GET /deliveries` shows its attempts',
    response: z.object({ deliveryId: z.string() }),
    status: 202,
    handler: async (ports, { params: { name } }) => {
      await shown(ports, name);
      const { store, now, newId } = ports;
      const id = newId();
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
    tag: 'destinations',
    summary: 'Pause a destination: its deliveries wait',
    input: { ...named, body: destinationActSchema },
    problems: [404],
    answer: 'The destination',
    response: shownDestinationSchema,
    handler: async (
      ports,
      { params: { name }, body: { by = 'console', reason = 'A person paused it.' } },
    ) => {
      await shown(ports, name);
      await ports.store.destinations.pause(name, by, reason, ports.now());
      return shown(ports, name);
    },
  }),
  route({
    method: 'post',
    path: '/destinations/{name}/resume',
    operationId: 'resumeDestination',
    tag: 'destinations',
    summary: 'End the pause of a destination: what waited is sent now',
    input: { ...named, body: destinationActSchema },
    problems: [404],
    answer: 'The destination',
    response: shownDestinationSchema,
    handler: async (ports, { params: { name }, body: { by = 'console', reason = '' } }) => {
      await shown(ports, name);
      await ports.store.destinations.resume(name, by, reason, ports.now());
      return shown(ports, name);
    },
  }),
  route({
    method: 'post',
    path: '/destinations/{name}/resend',
    operationId: 'resendDeliveries',
    tag: 'destinations',
    summary: 'Send deliveries since a time again, with their ids: { "since": "2026-01-05T10:00:00Z" }',
    input: { ...named, body: resendSchema },
    problems: [404],
    answer: '{ resent }: how many',
    response: resentSchema,
    handler: async (ports, { params: { name }, body: { since, state, by = 'console' } }) => {
      await shown(ports, name);
      const states = state === undefined ? (['delivered', 'exhausted'] as const) : [state];
      return { resent: await ports.store.destinations.resendSince(name, since, states, by, ports.now()) };
    },
  }),
  route({
    method: 'get',
    path: '/deliveries',
    operationId: 'listDeliveries',
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
    tag: 'destinations',
    summary: 'Send a delivery that has ended again, with its id',
    input: { params: z.object({ id: z.string().max(100) }), body: destinationActSchema },
    problems: [404],
    answer: '{ resent: 1 }',
    response: resentSchema,
    handler: async ({ store, now }, { params: { id }, body: { by = 'console' } }) => {
      if (await store.destinations.resend(id, by, now())) return { resent: 1 };
      throw new CasefileError('not_found', 'no delivery that has ended has this id');
    },
  }),
];
