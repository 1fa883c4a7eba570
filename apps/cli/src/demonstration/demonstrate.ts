import type { JsonObject } from '@casefile/contracts';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { alertDigest, withDemonstration, type Config } from '@casefile/runtime';
import { playAnswers } from './play-answers.js';
import { readWrittenAnswers } from './written-answers.js';

export interface Demonstrated {
  /** In which the samples are answered from what was written, and every other alert is judged by rules. */
  config: Config;
  close(): Promise<void>;
}

/**
 * Starts what plays the hand-written answers, on a free port of this machine. Only an alert that says the same as a
 * sample gets one: the same playbook, text, image and payload.
 * @param samples The sample alerts as they are submitted.
 * @throws InvalidInput for answers that are not written as they must be.
 */
export async function demonstrate(config: Config, samples: JsonObject[], folder: URL): Promise<Demonstrated> {
  const written = await readWrittenAnswers(folder);
  const player = await startSimulator({ answer: (question) => playAnswers(written, question) });
  return {
    config: withDemonstration(config, {
      baseUrl: player.baseUrl,
      alerts: samples.map(alertDigest),
    }),
    close: () => player.close(),
  };
}
