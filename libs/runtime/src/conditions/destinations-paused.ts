import type { ConditionRule } from './condition-facts.js';

const nameId = (name: string) => `destination_paused.${name}`;

const waiting = (count: number) => (count === 1 ? '1 delivery waits' : `${count} deliveries wait`);

/** A destination is paused, so its deliveries wait. */
export const destinationsPaused: ConditionRule = {
  ids: ({ destinations }) =>
    destinations.map(({ name }) => ({ id: nameId(name), severity: 'error' as const })),
  reads: ['destinations'],
  holding: ({ destinations }) =>
    destinations.flatMap(({ name, pausedAt, pausedBy, pausedWhy, pending }) =>
      pausedAt === null
        ? []
        : [
            {
              id: nameId(name),
              severity: 'error' as const,
              since: pausedAt,
              text: `The destination ${name} is paused by ${pausedBy ?? 'casefile'}: ${pausedWhy ?? ''}`,
              effect: `It receives nothing. ${waiting(pending)}; nothing is lost.`,
              act: `Fix the receiver, send a test, then resume it: casefile destinations resume ${name}`,
              link: '/operate/destinations',
            },
          ],
    ),
};
