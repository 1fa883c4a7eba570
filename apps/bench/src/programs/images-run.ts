// Sends messages as texts and as screenshots, and images that OCR reads poorly, and compares the verdicts.
// Options: [--only message-screening]. Sends 20 scams and 20 harmless messages (light, dark, 1x, 3x) and 40
// poor images, without a model. Exit code 1: verdicts of text and image differ more often than allowed, or an
// image of a scam is dismissed.
import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing } from '@casefile/embedded';
import { openDatabase } from '@casefile/runtime';
import { startChromium } from '@casefile/e2e/browser/chromium';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { worldOn } from '@casefile/e2e/testing/world';
import { LOOKS } from '@casefile/e2e/image-set/render-message';
import {
  hasSameEntities,
  HARD,
  MESSAGES,
  reportsReading,
  sendBothWays,
  sendHard,
} from '@casefile/e2e/image-set/send-both-ways';

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const KINDS = (['scam-verdict', 'message-screening'] as const).filter(
  (kind) => only === undefined || kind === only,
);
/** Least number of equal verdicts out of 40, and least share of messages with equal entities. */
const SAME_FROM = 38;
const ENTITIES_FROM = 0.95;

await onPrivatePostgres(async (postgres, dir) => {
  const databaseUrl = postgres.url('images');
  await createDatabaseIfMissing(postgres.url('postgres'), 'images');
  const opened = await openDatabase({ databaseUrl, dataDir: dir }, silentLogger);
  const [world, browser] = await Promise.all([worldOn(opened.url, null, null), startChromium()]);
  let isGood = true;
  const report = (line: string, isFine: boolean) => {
    console.log(`${isFine ? 'ok  ' : 'FAIL'} ${line}`);
    isGood &&= isFine;
  };
  try {
    for (const kind of KINDS)
      for (const look of LOOKS) {
        let [same, entities, dismissed] = [0, 0, 0];
        for (const [isScam, message] of [
          ...MESSAGES.scams.map((one) => [true, one] as const),
          ...MESSAGES.harmless.map((one) => [false, one] as const),
        ]) {
          const both = await sendBothWays(world, browser, message, { kind, look });
          const [isSame, hasSame] = [both.text.disposition === both.image.disposition, hasSameEntities(both)];
          if (isSame) same += 1;
          if (hasSame) entities += 1;
          if (isScam && both.image.disposition === 'dismiss') dismissed += 1;
          if (!isSame || !hasSame) console.log(JSON.stringify({ kind, look: look.name, message, ...both }));
        }
        const facts = `same disposition ${same} of 40, same entities ${entities} of 40, scams dismissed ${dismissed}`;
        report(
          `${kind}, ${look.name}: ${facts}`,
          same >= SAME_FROM && entities >= 40 * ENTITIES_FROM && dismissed === 0,
        );
      }
    for (const kind of KINDS) {
      let [dismissed, silent] = [0, 0];
      for (const name of HARD) {
        const outcome = await sendHard(world, name, kind);
        if (outcome.disposition === 'dismiss') dismissed += 1;
        if (!reportsReading(name, outcome)) silent += 1;
        console.log(`${kind}, ${name}: ${outcome.disposition}, ${outcome.degradedBy.join(' ')}`);
      }
      report(
        `${kind}, hard images: ${dismissed} of ${HARD.length} dismissed, ${silent} do not say how they were read`,
        dismissed === 0 && silent === 0,
      );
    }
  } finally {
    await browser.close();
    await world.close();
  }
  return isGood;
});
