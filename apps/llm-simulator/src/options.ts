import { parseArgs } from 'node:util';
import { parseInput, z } from '@casefile/contracts';
import type { SimulatorOptions } from './simulator.js';

/** Next to the ports of the services. */
const DEFAULT_PORT = '3009';

const flagsSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  host: z.string().min(1),
  'delay-ms': z.coerce.number().int().min(0).max(3_600_000),
  compromised: z.boolean(),
  storm: z.coerce.number().int().optional(),
});

/**
 * Reads `--port 3009 --host 127.0.0.1 --delay-ms 0 --compromised --storm 7`.
 * @throws for an unknown flag; InvalidInput for a wrong value.
 */
export function readOptions(argv: string[]): SimulatorOptions {
  const { values } = parseArgs({
    args: argv,
    options: {
      port: { type: 'string', default: DEFAULT_PORT },
      host: { type: 'string', default: '127.0.0.1' },
      'delay-ms': { type: 'string', default: '0' },
      compromised: { type: 'boolean', default: false },
      storm: { type: 'string' },
    },
  });
  const flags = parseInput(flagsSchema, values, 'command line');
  const then = { kind: flags.compromised ? ('compromised' as const) : ('rules' as const) };
  const faults = flags.storm === undefined ? {} : { faults: { seed: flags.storm } };
  return { port: flags.port, host: flags.host, script: { delayMs: flags['delay-ms'], then, ...faults } };
}
