import { z } from 'zod';
import { runSettingsSchema } from './settings.js';

const priceSchema = z.object({ input: z.number(), output: z.number(), cached: z.number().optional() });

/** A provider that this installation can use. */
const installedProviderSchema = z.object({
  name: z.string(),
  /** The model to use if a run names none. */
  model: z.string(),
  /** US dollars per million tokens, by model. `*`: every model. */
  prices: z.record(z.string(), priceSchema),
  /** The bundled price list for models without a price here. */
  priceList: z.string().nullable(),
});
export type InstalledProvider = z.infer<typeof installedProviderSchema>;

/** An MCP server whose tools runs may use. */
const installedToolServerSchema = z.object({
  name: z.string(),
  /** Names of the allowed tools at the server. */
  allow: z.array(z.string()),
  /** Names of the required tools. If one fails, its case is not closed automatically. */
  required: z.array(z.string()),
  /** Names of the tools that search, so that their results are addresses of pages. */
  searches: z.array(z.string()),
  /** Names of the tools that list deployments, alerts and changes between `start` and `end`. */
  timeline: z.array(z.string()),
  /** Playbooks that may use the tools. */
  kinds: z.array(z.string()),
  /** Labels that an alert must have. Empty: every alert of these playbooks may use the tools. */
  forAlerts: z.record(z.string(), z.string()),
  /** Hashes of tool entries that the configuration approves, by tool name. */
  pins: z.record(z.string(), z.string()),
});
export type InstalledToolServer = z.infer<typeof installedToolServerSchema>;

/**
 * Configuration of an installation, without secrets. The service that calls models publishes it. Every run is
 * frozen from it, and the console and the command line show it.
 */
export const installationSchema = z.object({
  /** Version of Casefile. */
  version: z.string(),
  /** The preferred provider. `none`: rules make the verdicts. */
  provider: z.string(),
  model: z.string().nullable(),
  /** Settings of a new run per playbook, without the parts that depend on its alert. */
  playbooks: z.record(z.string(), runSettingsSchema),
  /** Every available provider, in the order of the provider table. */
  providers: z.array(installedProviderSchema),
  toolServers: z.array(installedToolServerSchema),
  /** Hand-written answers for these alerts (`up --demo`). */
  demonstration: z
    .object({
      model: z.string(),
      /** Digests of the alerts, computed by `alertDigest`. */
      alerts: z.array(z.string()),
    })
    .optional(),
});
export type Installation = z.infer<typeof installationSchema>;

/** Source of the installation for a process. */
export interface InstallationSource {
  /** Returns the newest installation. null: no service that calls models has published one yet. */
  latest(): Installation | null;
}
