import { z } from 'zod';
import { runSettingsSchema } from './settings.js';

const priceSchema = z.object({ input: z.number(), output: z.number(), cached: z.number().optional() });

/** A provider that this installation can ask. */
const installedProviderSchema = z.object({
  name: z.string(),
  /** The model that is asked if a run names none. */
  model: z.string(),
  /** US dollars per million tokens, by model; `*` is for every model. */
  prices: z.record(z.string(), priceSchema),
  /** The bundled list in which other prices are found. */
  priceList: z.string().nullable(),
});
export type InstalledProvider = z.infer<typeof installedProviderSchema>;

/** An MCP server whose tools cases may use. */
const installedToolServerSchema = z.object({
  name: z.string(),
  /** Names of its tools at the server. */
  allow: z.array(z.string()),
  /** Of those: without them no case is closed automatically. */
  required: z.array(z.string()),
  /** Kinds of case that may use them. */
  kinds: z.array(z.string()),
  /** Labels that an alert must have; empty: every alert of these kinds may use them. */
  forAlerts: z.record(z.string(), z.string()),
  /** Hashes of tool entries that the configuration approves, by name of the tool. */
  pins: z.record(z.string(), z.string()),
});
export type InstalledToolServer = z.infer<typeof installedToolServerSchema>;

/**
 * What an installation can do, without secrets. The service that asks models publishes it; every run is frozen from it,
 * and console and command line show it.
 */
export const installationSchema = z.object({
  /** Of Casefile. */
  version: z.string(),
  /** The provider that is asked first; `none`: verdicts come from rules. */
  provider: z.string(),
  model: z.string().nullable(),
  /** Settings of a new run by kind of case, without what depends on its alert. */
  playbooks: z.record(z.string(), runSettingsSchema),
  /** Every provider that can be asked, in the order of the provider table. */
  providers: z.array(installedProviderSchema),
  toolServers: z.array(installedToolServerSchema),
  /** Hand-written answers for these alerts (`up --demo`). */
  demonstration: z
    .object({
      model: z.string(),
      /** Digests of the alerts, as `alertDigest` makes them. */
      alerts: z.array(z.string()),
    })
    .optional(),
});
export type Installation = z.infer<typeof installationSchema>;

/** Where a process reads the installation from. */
export interface InstallationSource {
  /** null: no service that asks models has published one yet. */
  latest(): Installation | null;
}
