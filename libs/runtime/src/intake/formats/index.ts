import type { IntakeFormat } from '../format.js';
import { alertmanager } from './alertmanager.js';
import { cloudEvents } from './cloudevents.js';
import { grafana } from './grafana.js';

/** Every form in which senders post alerts, each on an address of its own. */
export const intakeFormats: readonly IntakeFormat[] = [alertmanager, grafana, cloudEvents];

/** The format of an address, written in whatever case and with or without a slash at its end. */
export function formatAt(path: string): IntakeFormat | undefined {
  const plain = path.toLowerCase().replace(/\/$/, '');
  return intakeFormats.find((format) => format.path === plain);
}
