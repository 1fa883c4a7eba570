import { createHash } from 'node:crypto';
import { agreesWith, type PolicyDocuments, type RunSettings } from '@casefile/contracts';
import {
  connect,
  databaseInWords,
  datasetPipeline,
  describeInstallation,
  freezeSettings,
  loadConfig,
  type Adapters,
} from '@casefile/runtime';
import { playbookNamed, playbookStrategy } from '@casefile/pipeline';
import { quietly } from '../quietly.js';
import {
  labelledBy,
  type EvalKnowledge,
  type EvalRun,
  type EvalSystem,
} from '@casefile/kit/evaluation/eval-system';

/**
 * Judges in this process, with the settings and the database of its environment. Reports which ones these
 * are.
 */
export async function directSystem({ playbook, dataset, strategy, note }: EvalRun): Promise<EvalSystem> {
  const config = quietly(await loadConfig());
  const kind = playbookNamed(playbook, config.playbooks);
  const frozen = freezeSettings(kind, describeInstallation(config));
  const chosen = strategy ?? frozen.strategy;
  playbookStrategy(kind, chosen);
  note(`casefile: judging in this process, with ${databaseInWords(config)}`);
  const { adapters, close } = await connect(config, []);
  const change = (settings: RunSettings): RunSettings => ({ ...settings, strategy: chosen });
  const pipeline = datasetPipeline(adapters, { dataset, change });
  const { store, ids } = adapters;
  return {
    settings: change(frozen),
    knowledge: adapterKnowledge(adapters),
    judge: (alert) => pipeline.judge(alert),
    // The label is stored as feedback, so that batches over the set and other readers of feedback find it.
    keepLabel: async ({ id: caseId, runs: [run] }, outcome) => {
      if (run === undefined || run.verdict === null) return;
      const { verdict } = run;
      const agrees = agreesWith(verdict, outcome);
      const attribution = { by: labelledBy(dataset), note: null, at: new Date().toISOString() };
      await store.feedback.give({ id: ids.id(), caseId, runId: run.id, agrees, outcome, ...attribution });
    },
    close: async () => {
      await pipeline.close();
      await close();
    },
  };
}

function adapterKnowledge({ knowledge, embedder }: Adapters): EvalKnowledge {
  return {
    policyDigest: (policyId, version) => storeDigest(knowledge.policies, policyId, version),
    importPolicy: async (file) => {
      const imported = await knowledge.importPolicyFile(file);
      if ('error' in imported) throw imported.error;
    },
    isMadeOf: (file) => knowledge.isMadeOf(file),
    patternState: () => knowledge.patternState(),
    embeddingModel: embedder.model,
  };
}

// The digest includes summaries: they do not make a new version, but a model that searches reads them.
async function storeDigest(
  store: PolicyDocuments,
  policyId: string,
  version?: number,
): Promise<string | null> {
  const policy = await store.policyVersion(policyId, version);
  if (policy === null) return null;
  const tree = await store.policyTree(policy);
  const texts = await store.policySections(
    policy,
    tree.map(({ nodeId }) => nodeId),
  );
  const contents = texts.map(({ title, text, summary }) => [title, text, summary]);
  return createHash('sha256')
    .update(JSON.stringify([policy.language, contents]))
    .digest('hex');
}
