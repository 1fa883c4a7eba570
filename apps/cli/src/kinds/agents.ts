import { researchAgents } from './research/agents.js';

/** By the names of the views that playbooks declare: what those are called who ask a model at each stage. */
const AGENTS: Record<string, Readonly<Record<string, string>> | undefined> = { research: researchAgents };

/** What the one who asks at a stage is called; where a kind has no name for it, that of the stage. */
export function agentOf(view: string | null, stage: string): string {
  const named = view !== null && Object.hasOwn(AGENTS, view) ? AGENTS[view] : undefined;
  return named !== undefined && Object.hasOwn(named, stage) ? (named[stage] ?? stage) : stage;
}
