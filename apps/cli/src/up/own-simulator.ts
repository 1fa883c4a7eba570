import { startSimulator } from '@casefile/llm-simulator/simulator';
import { wantsSimulator, withSimulatorAt, type Config } from '@casefile/runtime';

export interface OwnSimulator {
  /** In which the provider `simulator` is the one that was started. */
  config: Config;
  close(): Promise<void>;
}

/**
 * Starts the simulator in this process, on a free port of this machine, where the configuration asks for it and does not say where
 * one runs already (LLM_BASE_URL). null: it does not.
 */
export async function startOwnSimulator(config: Config): Promise<OwnSimulator | null> {
  if (!wantsSimulator(config)) return null;
  const simulator = await startSimulator();
  return { config: withSimulatorAt(config, simulator.baseUrl), close: () => simulator.close() };
}
