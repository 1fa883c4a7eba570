import { basename } from 'node:path';
import { CasefileError } from '@casefile/contracts';
import type { DatasetKind, DatasetOptions, Measures } from '@casefile/kit/evaluation/dataset';
import { readInputFile } from '@casefile/kit/files/read-input-file';
import { playbookNamed } from '@casefile/pipeline';
import {
  connect,
  describeInstallation,
  freezeSettings,
  loadConfig,
  systemClock,
  toolsOverPatterns,
  type Config,
} from '@casefile/runtime';
import { terminalProgress, type Progress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { quietly } from '../quietly.js';

/**
 * Measures a tool over a labelled set, without a model and without writing to the record.
 * @throws CasefileError of the tool and of the store; the signal's reason if aborted.
 */
export async function measureTool(
  { playbook, toolMeasure }: DatasetKind,
  path: string,
  options: DatasetOptions,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Measures> {
  if (toolMeasure === undefined) throw new CasefileError('unknown_tool', `${playbook} measures no tool`);
  const config = quietly(await loadConfig());
  const file = options[toolMeasure.fileOption];
  const { tool, close } = await openTool(config, toolMeasure.tool, typeof file === 'string' ? file : null);
  let bar: Progress | null = null;
  try {
    const settings = freezeSettings(playbookNamed(playbook, config.playbooks), describeInstallation(config));
    const progress = (done: number, total: number) =>
      (bar ??= terminalProgress(terminal, 'looking up', total)).to(done);
    return await toolMeasure.measure(path, options, { tool, settings, clock: systemClock, signal, progress });
  } finally {
    (bar as Progress | null)?.end();
    await close();
  }
}

async function openTool(config: Config, name: string, file: string | null) {
  const opened = file === null ? await connect(config, []) : null;
  const tools =
    opened?.adapters.tools ??
    (await toolsOverPatterns(config, { name: basename(file ?? ''), text: await readInputFile(file ?? '') }));
  const tool = tools.named(name);
  if (tool === null) throw new CasefileError('unknown_tool', `there is no tool ${name}`);
  return { tool, close: async () => opened?.close() };
}
