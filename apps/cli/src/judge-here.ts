import { shownCase } from '@casefile/console/shown-case';
import type { JsonObject, ShownCase } from '@casefile/contracts';
import { connect, databaseInWords, datasetPipeline, importStartingSet, loadConfig } from '@casefile/runtime';
import { quietly } from './quietly.js';

/** Only this service connects to tool servers. Here this process does it. */
const CONNECTS_TOOLS = ['evidence-collector'];

/**
 * Judges alerts one after another in this process, through the same flow as the services. The cases stay on
 * the record under the name of the data set. @throws the intake's error for the first alert that it refuses.
 */
export async function judgeHere(
  alerts: JsonObject[],
  { dataset, note }: { dataset: string; note(line: string): void },
  onJudged: (judgedCase: ShownCase) => void,
): Promise<void> {
  const config = quietly(await loadConfig());
  note(`casefile: judging in this process, with ${databaseInWords(config)}`);
  const { adapters, close } = await connect(config, CONNECTS_TOOLS);
  try {
    // A new database has what the services would import at their start.
    if ((await adapters.knowledge.emptyBases()).length > 0) await importStartingSet(adapters);
    const pipeline = datasetPipeline(adapters, { dataset, change: (settings) => settings });
    try {
      for (const alert of alerts) onJudged(shownCase(await pipeline.judge(alert), config.playbooks));
    } finally {
      await pipeline.close();
    }
  } finally {
    await close();
  }
}
