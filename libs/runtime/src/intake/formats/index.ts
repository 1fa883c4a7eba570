import type { Config } from '../../config/read-config.js';
import { customWebhook } from '../custom-webhook.js';
import type { IntakeFormat, ShippedFormat } from '../format.js';
import { alertmanager } from './alertmanager.js';
import { cloudEvents } from './cloudevents.js';
import { grafana } from './grafana.js';

/** All formats that need no settings. Each has its own URL. */
export const intakeFormats: readonly ShippedFormat[] = [alertmanager, grafana, cloudEvents];

/** Returns the shipped formats and the webhooks of the settings. */
export function configFormats({ webhooks }: Pick<Config, 'webhooks'>): readonly IntakeFormat[] {
  return [...intakeFormats, ...webhooks.map(customWebhook)];
}

/**
 * Returns the secret of each format that has one, by the format's name, for the process that receives posts.
 * @throws CasefileError `bad_configuration` that names each variable of a webhook that is not set.
 */
export function configSecrets({ env, webhooks, webhookSecrets }: Config): ReadonlyMap<string, string> {
  const own = webhookSecrets();
  return new Map(
    configFormats({ webhooks }).flatMap(({ name, source = '', signature }) => {
      if (signature === undefined) return [];
      const secret = signature.secret === undefined ? own.get(source) : env[signature.secret];
      return secret === undefined ? [] : [[name, secret] as const];
    }),
  );
}

/**
 * Returns the format by source, for the sources that are accepted only at the URL of this format, because it has a secret.
 */
export function reservedSources({
  env,
  webhooks,
}: Pick<Config, 'env' | 'webhooks'>): ReadonlyMap<string, string> {
  return new Map(
    configFormats({ webhooks }).flatMap(({ source, signature, name }) => {
      if (source === undefined || signature === undefined) return [];
      const isSet = signature.secret === undefined || env[signature.secret] !== undefined;
      return isSet ? [[source, name] as const] : [];
    }),
  );
}

/** Returns the format of a path. Case and a trailing slash are ignored. */
export function formatAt<F extends IntakeFormat>(path: string, formats: readonly F[]): F | undefined {
  const plain = path.toLowerCase().replace(/\/$/, '');
  return formats.find((format) => format.path === plain);
}
