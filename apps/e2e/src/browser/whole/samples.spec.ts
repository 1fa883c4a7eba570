import { testDatabase } from '@casefile/store/testing';
import type { Browser } from 'playwright-core';
import { startDemonstration, type Demonstration } from '../../testing/demonstration.js';
import { takesAnswers } from '../answers.browser.js';
import { startChromium } from '../chromium.js';
import { editsLetters } from '../letters.browser.js';
import { speaksLanguages } from '../languages.browser.js';
import { fitsPhones } from '../phone.browser.js';
import { fillRecord, type SampleStage } from '../sample-stage.js';
import { takesFewClicks } from '../tasks.browser.js';
import { speaksInWords } from '../words.browser.js';

const stage = {} as SampleStage;
let [database, demonstration, browser] = [] as unknown as [
  Awaited<ReturnType<typeof testDatabase>>,
  Demonstration,
  Browser,
];

beforeAll(async () => {
  database = await testDatabase();
  demonstration = startDemonstration(database.url);
  browser = await startChromium();
  const { console, ingest } = await demonstration.until(({ type }) => type === 'ready');
  await demonstration.until(({ type }) => type === 'verdicts-done');
  Object.assign(stage, await fillRecord({ browser, console: String(console), ingest: String(ingest) }));
}, 400_000);
afterAll(async () => {
  await browser?.close();
  demonstration?.child.kill('SIGTERM');
  await demonstration?.ended;
  await database?.drop();
});

describe('the samples on a phone', () => fitsPhones(stage));
describe('tasks with the samples', () => takesFewClicks(stage));
describe('the samples in two languages', () => speaksLanguages(stage));
describe('answers of people to the samples', () => takesAnswers(stage));
describe('the samples in words', () => speaksInWords(stage));
// Last: it takes the only dead letter off the list.
describe('a dead letter among the samples', () => editsLetters(stage));
