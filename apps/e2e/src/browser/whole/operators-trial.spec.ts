import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Condition } from '@casefile/contracts';
import type { Browser, Locator, Page } from 'playwright-core';
import { questionText } from '@casefile/kit/demonstration/question';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../../testing/five-services.js';
import { suspendProcess } from '../../testing/suspend-process.js';
import { until } from '@casefile/contracts/testing';
import { startChromium } from '../chromium.js';
import { openPage, type WatchedPage } from '../watched-page.js';

/** Folder for a screenshot of each screen, if it is set. */
const SCREENSHOTS = process.env['CASEFILE_SCREENSHOTS'];
const SCREENS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;

/** Tokens per day: enough for the other faults, and less than one answer about a card costs. */
const TOKENS = 1_000_000;
const COSTLY = { input: TOKENS, output: 1_000, reasoning: 0, cached: 0 };
const settings = (receiver: string, tokens: number) => ({
  lease: { seconds: 2, deadlinePauseMs: 120_000 },
  playbooks: { 'scam-verdict': { deadlineMs: 600_000 } },
  calls: { circuit: { openAfter: 3, openSeconds: 600 } },
  budgets: { day: { tokens } },
  destinations: { oncall: { type: 'webhook', url: receiver, allowPrivate: true } },
});

/** Pause between reads of the conditions. */
const POLL_MS = 250;

interface Fault {
  /** Name of the fault, also of its screenshots. */
  name: string;
  /** Id of its condition. */
  id: string;
  /** Title of the condition. Numbers in it may change while it is read. */
  title: RegExp;
  plant(): Promise<unknown>;
  /** Path of the page that the first screen leads to. */
  leadsTo: string;
  /** Element there that is, or states, what to do. */
  act(page: Page): Locator;
  repair(page: Page): Promise<unknown>;
}

/** A receiver that says that it no longer exists. */
async function goneReceiver(): Promise<{ server: Server; url: string; repair(): void }> {
  let status = 410;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
  return { server, url, repair: () => void (status = 204) };
}

describe("an operator's trial: each of five faults is found from the first page of the console", () => {
  let world: FiveServices;
  let browser: Browser;
  let receiver: Awaited<ReturnType<typeof goneReceiver>>;
  let origin = '';
  let isDead = false;
  let isPoisonous = true;
  const condition = async ({ id }: Fault) => {
    const response = await fetch(`${origin}/api/v1/conditions`);
    const { conditions } = (await response.json()) as { conditions: Condition[] };
    return conditions.find((one) => one.id === id);
  };
  const alert = (text: string) => world.alert({ playbook: 'scam-verdict', text });
  const reasoner = () => world.service('reasoner');
  // Of the services, only these two read the budgets here. A start takes long on a busy machine.
  const restart = async (tokens: number) => {
    writeFileSync(world.configFile, JSON.stringify(settings(receiver.url, tokens)));
    const readers = [reasoner(), world.service('console')];
    await Promise.all(readers.map((one) => one.signal('SIGTERM').then(() => one.start())));
  };
  const poisonCalls = () =>
    world.simulator.requests().filter(({ body }) => JSON.stringify(body).includes('poisonous')).length;

  const faults: Fault[] = [
    {
      name: 'paused-destination',
      id: 'destination_paused.oncall',
      title: /^The destination oncall is paused by casefile: The receiver answered 410/,
      plant: () => alert('Your parcel is held, pay 2 EUR at http://parcel.example today'),
      leadsTo: '/operate/destinations',
      act: (page) => page.getByRole('button', { name: 'Resume oncall' }),
      repair: async (page) => {
        receiver.repair();
        await page.getByRole('button', { name: 'Resume oncall' }).click();
      },
    },
    {
      name: 'dead-provider',
      id: 'provider_out.simulator',
      title: /^The provider is not available: simulator/,
      plant: async () => {
        isDead = true;
        await alert('Your account is blocked, call +1 555 010 1234 now');
      },
      leadsTo: '/operate/cost#providers',
      act: (page) => page.getByRole('button', { name: 'Try simulator now' }),
      repair: async (page) => {
        isDead = false;
        await page.getByRole('button', { name: 'Try simulator now' }).click();
        await page.getByText('The next call tries the provider again.').waitFor();
        await alert('Your parcel waits, pay the fee at http://fee.example');
      },
    },
    {
      name: 'stuck-stage',
      id: 'service_absent.critic-writer',
      title: /^No critic-writer is running/,
      plant: async () => {
        await suspendProcess(world.service('critic-writer'), world.store);
        await alert('Your tax refund is ready, confirm at http://refund.example now');
      },
      leadsTo: '/operate#flow',
      act: (page) => page.getByRole('region', { name: 'The flow' }).getByText('not running').first(),
      repair: async () => process.kill(world.service('critic-writer').pid!, 'SIGCONT'),
    },
    {
      name: 'poison-job',
      id: 'dead_letters',
      title: /^1 dead letter waits: the stage ended its process three times/,
      plant: async () => {
        await alert('A poisonous text, call +1 555 010 9999 now');
        for (let death = 1; death <= 3; death += 1) {
          await until(`its worker is at it, time ${death}`, () => poisonCalls() >= death);
          await reasoner().signal('SIGKILL');
          await reasoner().start();
        }
      },
      leadsTo: '/inbox?type=letter',
      act: (page) => page.getByRole('button', { name: 'Redrive', exact: true }),
      repair: async (page) => {
        isPoisonous = false;
        await page.getByRole('checkbox', { name: 'Select all' }).click();
        await page.getByRole('button', { name: 'Redrive', exact: true }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Redrive' }).click();
      },
    },
    {
      name: 'full-budget',
      id: 'budget_used.day.tokens',
      title: /^Budget used up: budgets\.day\.tokens \d+ %/,
      plant: () => alert('Your card is blocked, confirm at http://card.example'),
      leadsTo: '/settings?q=budgets',
      act: (page) => page.getByRole('row').filter({ hasText: 'budgets.day' }).first(),
      repair: () => restart(100 * TOKENS),
    },
  ];

  beforeAll(async () => {
    receiver = await goneReceiver();
    world = await fiveServices({
      services: [...FIVE_SERVICES, 'console'],
      settings: settings(receiver.url, TOKENS),
      answer: (question) => {
        if (isDead) return { kind: 'status', status: 503 };
        const text = questionText(question, 'user');
        if (text.includes('card.example')) return { kind: 'answer', content: '{}', usage: COSTLY };
        return isPoisonous && text.includes('poisonous') ? { kind: 'hang' } : null;
      },
    });
    await world.start();
    browser = await startChromium();
    origin = new URL(world.service('console').url).origin;
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    receiver?.server.close();
  });

  async function shoot(page: Page, name: string): Promise<void> {
    if (SCREENSHOTS === undefined) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  // The first screen as it is opened: nothing is scrolled, and only its own link is followed.
  async function follow(page: Page, fault: Fault, width: number): Promise<void> {
    await page.goto('/');
    const banner = page.getByRole('status', { name: 'Conditions' });
    const title = banner.getByRole('link', { name: fault.title });
    await title.waitFor();
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
    await shoot(page, `${fault.name}-${width}-first`);
    let open: Condition | undefined;
    await until('the banner states what the API states', async () => {
      open = await condition(fault);
      const words = (await banner.innerText()).replaceAll(/\s+/g, ' ');
      return (
        open !== undefined &&
        words.includes(`${open.text} · since `) &&
        words.includes(`${open.effect} ${open.act}`) &&
        /since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d( UTC)? \((now|\d+ (s|min))\)/.test(words)
      );
    });
    expect(await isOnScreen(page, banner.getByText(open!.act))).toBe(true);
    await title.click();
    const act = fault.act(page);
    await act.waitFor();
    await until('the act is on the screen', () => isOnScreen(page, act));
    const { pathname, search, hash } = new URL(page.url());
    expect(`${pathname}${search}${hash}`).toBe(fault.leadsTo);
    await shoot(page, `${fault.name}-${width}-act`);
  }

  it.each(faults)(
    '$name',
    async (fault) => {
      await fault.plant();
      await until('the fault is a condition', async () => (await condition(fault)) !== undefined, POLL_MS);
      for (const viewport of SCREENS) {
        const watched: WatchedPage = await openPage(browser, origin, { baseURL: origin, viewport });
        await follow(watched.page, fault, viewport.width);
        if (viewport === SCREENS.at(-1)) await fault.repair(watched.page);
        expect(watched.offences).toEqual([]);
        await watched.close();
      }
      await until('the condition is gone', async () => (await condition(fault)) === undefined, POLL_MS);
    },
    300_000,
  );
});

/** Returns whether all of an element is inside the window, below the header and above the bar of a phone. */
async function isOnScreen(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const size = page.viewportSize();
  if (box === null || size === null) return false;
  const bar = size.width < 860 ? 57 : 0;
  return box.y >= 48 && box.y + box.height <= size.height - bar;
}
