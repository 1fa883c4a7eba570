import type { Browser } from 'playwright-core';
import { startChromium } from './browser/chromium.js';
import { LOOKS } from './image-set/render-message.js';
import {
  hasSameEntities,
  HARD,
  MESSAGES,
  reportsReading,
  sendBothWays,
  sendHard,
  type Kind,
} from './image-set/send-both-ways.js';
import { inlineWorld, type World } from './testing/world.js';

/** A share of the set: each message and image costs a reading. */
const EACH = 20;
const share = <T>(all: readonly T[]): T[] => all.filter((_, i) => i % EACH === 0);
const kindOf = (i: number): Kind => (i % 2 === 0 ? 'scam-verdict' : 'message-screening');

describe('S1-01 S3-41 images', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([inlineWorld(null), startChromium()]);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  it.each([...share(MESSAGES.scams), ...share(MESSAGES.harmless)].map((message, i) => [message, i] as const))(
    'a screenshot of %j has the verdict of its text',
    async (message, i) => {
      const look = LOOKS[i % LOOKS.length] ?? LOOKS[0];
      const both = await sendBothWays(world, browser, message, { kind: kindOf(i), look });
      expect(both.image.disposition).toBe(both.text.disposition);
      expect(hasSameEntities(both)).toBe(true);
    },
  );

  it.each(share(HARD).map((name, i) => [name, i] as const))(
    '%s is not dismissed, and the verdict says how it was read',
    async (name, i) => {
      const outcome = await sendHard(world, name, kindOf(i));
      expect(outcome.disposition).not.toBe('dismiss');
      expect(reportsReading(name, outcome)).toBe(true);
    },
  );
});
