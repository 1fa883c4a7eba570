import { type Json, type SettingsChange } from '@casefile/contracts';
import type { Command } from 'commander';
import { wrongOption } from './option-values.js';

/** Options that run a case again with other settings. */
export interface SettingOptions {
  strategy?: string;
  provider?: string;
  model?: string;
  set?: string[];
  prompt?: string[];
}

/** Adds the setting options to a command. */
export function settingOptions(command: Command): Command {
  return command
    .option('--strategy <name>', 'another strategy of the kind')
    .option('--provider <name>', 'another provider; none: only rules judge')
    .option('--model <name>', 'another model')
    .option('--prompt <name=version...>', 'another version of a prompt, such as KIND/answer=3, in any state')
    .option('--set <option=value...>', 'another threshold or option of the kind, such as deadlineMs=8000');
}

/**
 * Returns the changed settings; undefined: no change. @throws InvalidInput for a `--set` or `--prompt` without a value.
 */
export function changeFromOptions({
  strategy,
  provider,
  model,
  set = [],
  prompt = [],
}: SettingOptions): SettingsChange | undefined {
  const options = Object.fromEntries(set.map(assignedText));
  const change = {
    ...(strategy === undefined ? {} : { strategy }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(prompt.length === 0 ? {} : { prompts: Object.fromEntries(prompt.map(versionNamed)) }),
    ...(set.length === 0 ? {} : { options }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

function assignedText(text: string): [string, Json] {
  const at = text.indexOf('=');
  if (at < 1) throw wrongOption('--set', `expected option=value, got ${text}`);
  return [text.slice(0, at), parseValue(text.slice(at + 1))];
}

function versionNamed(text: string): [string, number] {
  const [, name, version] = /^([\w/-]{1,100})=([1-9]\d{0,8})$/.exec(text) ?? [];
  if (name !== undefined && version !== undefined) return [name, Number(version)];
  throw wrongOption('--prompt', `expected name=version, such as KIND/answer=3, got ${text}`);
}

// Parses a number, true, or a list as JSON; anything else is text.
function parseValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
