import type { NewPageLink } from '@casefile/contracts';
import { newPageLink, pageLinkHash } from './page-link.js';
import { id, message } from './testing/sender-bench.js';

const NOW = Date.parse('2026-01-05T10:00:00.000Z');

/** Returns the link of a message, and what is stored of it. */
async function linkOf(over: object = {}, runId: string | null = id(1)) {
  const stored: NewPageLink[] = [];
  const links = { add: async (link: NewPageLink) => void stored.push(link) };
  const about = {
    kind: 'verdict' as const,
    caseId: id(2),
    verdict: message(1),
    severity: 'critical',
    ...over,
  };
  const delivery = { id: id(3), runId };
  const url = await newPageLink(
    { links, consoleUrl: 'https://casefile.example' },
    'oncall',
    delivery,
    about,
    NOW,
  );
  return { url, stored };
}

describe('the link of a page', () => {
  it('is random, valid for an hour, and stored as a digest with the delivery that carries it', async () => {
    const [first, second] = [await linkOf(), await linkOf()];
    expect(first.url).toMatch(/^https:\/\/casefile\.example\/acknowledge\/[A-Za-z0-9_-]{43}$/);
    expect(first.url).not.toBe(second.url);
    const token = first.url!.split('/').at(-1)!;
    expect(first.stored).toEqual([
      {
        tokenHash: pageLinkHash(token),
        deliveryId: id(3),
        destination: 'oncall',
        caseId: id(2),
        runId: id(1),
        severity: 'critical',
        expiresAt: NOW + 3_600_000,
      },
    ]);
  });

  it('has no text of a kind from outside as its severity', async () => {
    expect((await linkOf({ severity: 'the customer Ann' })).stored).toMatchObject([{ severity: 'unknown' }]);
  });

  it.each([
    ['the end of an alert', { kind: 'resolved' }],
    ['a condition', { kind: 'condition-opened', caseId: null }],
    [
      'a dismissing verdict',
      { verdict: { ...message(1), verdict: { ...message(1).verdict, disposition: 'dismiss' } } },
    ],
  ])('is not in %s', async (_what, over) => expect(await linkOf(over)).toEqual({ url: null, stored: [] }));

  it.each(['', 'a', 'a'.repeat(44), `${'a'.repeat(42)}/`])('%j is no token', (text) =>
    expect(pageLinkHash(text)).toBeNull(),
  );
});
