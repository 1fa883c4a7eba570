import type { IntakeFormat } from '../format.js';
import { alertmanager } from './alertmanager.js';
import { cloudEvents } from './cloudevents.js';
import { grafana } from './grafana.js';

/** Every form in which senders post alerts, each on an address of its own. */
export const intakeFormats: readonly IntakeFormat[] = [alertmanager, grafana, cloudEvents];

/** The sources whose alerts one address alone takes, since it has a secret: the name of its format by the source. */
export function reservedSources(env: Partial<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(
    intakeFormats.flatMap(({ source, signature, name }) =>
      source === undefined || signature === undefined || env[signature.secret] === undefined
        ? []
        : [[source, name] as const],
    ),
  );
}

/** The format of an address, written in whatever case and with or without a slash at its end. */
export function formatAt(path: string): IntakeFormat | undefined {
  const plain = path.toLowerCase().replace(/\/$/, '');
  return intakeFormats.find((format) => format.path === plain);
}
