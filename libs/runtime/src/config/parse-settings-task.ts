import type { TaskModule } from '@casefile/contracts';
import { parseSettingsYaml } from './parse-settings-yaml.js';

/** `parseSettingsYaml`, as a task. */
export const run: TaskModule<null, unknown>['run'] = async (bytes) =>
  parseSettingsYaml(bytes.toString('utf8'));
