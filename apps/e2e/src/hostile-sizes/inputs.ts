import { answers } from './answers.js';
import { bodies } from './bodies.js';
import { documents } from './documents.js';
import type { HostileInput } from './hostile-input.js';
import { images } from './images.js';
import { imports } from './imports.js';
import { repositories } from './repositories.js';
import { toolServers } from './tool-servers.js';
import { settings } from './settings.js';

/** Inputs that are small as they are sent and large as they are read. */
export const hostileInputs: readonly HostileInput[] = [
  ...bodies,
  ...answers,
  ...images,
  ...repositories,
  ...documents,
  ...imports,
  ...settings,
  ...toolServers,
];
