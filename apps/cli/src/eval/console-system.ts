import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { asCasefileError, CasefileError, PATTERN_STATE_PATH, type JsonObject } from '@casefile/contracts';
import { ConsoleClient } from '../client/console-client.js';
import { followImport, postImport } from '../client/import-client.js';
import { judgeThroughConsole } from '../judge-through-console.js';
import {
  labelledBy,
  type EvalKnowledge,
  type EvalRun,
  type EvalSystem,
} from '@casefile/kit/evaluation/eval-system';

/**
 * Judges through the running system, in the lane `batch`. @throws CasefileError if the system does not know
 * the kind.
 */
export async function consoleSystem(
  consoleUrl: string,
  { playbook, dataset, strategy, signal, note }: EvalRun,
): Promise<EvalSystem> {
  const console = new ConsoleClient(consoleUrl);
  const settings = await console.newRunSettings(playbook);
  if (settings === null)
    throw new CasefileError(
      'not_ready',
      `the system does not judge the kind "${playbook}" yet: start the reasoner`,
    );
  const through = { consoleUrl, dataset, signal, note, ...(strategy === null ? {} : { strategy }) };
  return {
    settings: { ...settings, strategy: strategy ?? settings.strategy },
    knowledge: consoleKnowledge(console),
    judge: (alert) => judgeThroughConsole(alert as unknown as JsonObject, through),
    keepLabel: async ({ id, runs: [run] }, outcome) => {
      if (run !== undefined && run.verdict !== null)
        await console.post('/cases/{caseId}/feedback', {
          params: { caseId: id },
          // What a set states is right, also where the run found nothing that shows it.
          body: { outcome, by: labelledBy(dataset), override: true },
        });
    },
    close: () => Promise.resolve(),
  };
}

function consoleKnowledge(console: ConsoleClient): EvalKnowledge {
  return {
    policyDigest: async (policyId, version) => {
      const params = { policyId, version: String(version ?? 'current') };
      const policy = await console
        .get('/policies/{policyId}/versions/{version}', { params })
        .catch(nullIfUnknown);
      if (policy === null) return null;
      const { version: number, importedAt, nodes } = policy;
      return createHash('sha256')
        .update(JSON.stringify([number, importedAt, nodes]))
        .digest('hex');
    },
    importPolicy: async ({ path, policyId }) => {
      const files = [{ name: basename(path), bytes: await readFile(path) }];
      const importId = await postImport(console, 'policy', {
        source: path,
        origin: path,
        options: { id: policyId },
        files,
      });
      for await (const { state, complete, problem, lines } of followImport(console, importId)) {
        if (state !== 'done' && state !== 'failed') continue;
        if (complete !== true)
          throw new CasefileError(
            'unreadable_file',
            problem?.detail ?? lines[0]?.line ?? `${path} was not imported`,
          );
      }
    },
    // The API does not show a digest of the system's files, so this cannot be checked.
    isMadeOf: () => Promise.resolve(true),
    patternState: () => console.get(PATTERN_STATE_PATH),
    embeddingModel: null,
  };
}

function nullIfUnknown(thrown: unknown): null {
  if (asCasefileError(thrown).reasonCode === 'not_found') return null;
  throw thrown;
}
