import { createHash } from 'node:crypto';
import { canonicalJson, type Installation, type Json } from '@casefile/contracts';
import type { Config } from '../config/read-config.js';

/** Returns a digest of the settings that every service of an installation must share: files and kinds of case. */
export function settingsDigest({ settings, playbooks }: Pick<Config, 'settings' | 'playbooks'>): string {
  const kinds = playbooks.map(({ name, version }) => ({ name, version }));
  return digestOf({ settings, kinds });
}

/** Returns a digest of what an installation can do. */
export function installationDigest(installation: Installation): string {
  return digestOf(installation);
}

// The JSON form leaves out members that are undefined, as the record does.
function digestOf(value: unknown): string {
  const json = JSON.parse(JSON.stringify(value)) as Json;
  return createHash('sha256').update(canonicalJson(json)).digest('hex').slice(0, 16);
}
