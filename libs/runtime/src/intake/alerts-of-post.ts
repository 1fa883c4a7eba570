import { InvalidInput, isObject, type JsonObject } from '@casefile/contracts';
import { intakeFormats, type Playbook } from '@casefile/pipeline';
import type { SettingsFile } from '../config/settings-schema.js';
import { alertmanager } from './formats/alertmanager.js';
import { grafana } from './formats/grafana.js';

/** Formats by the version in their posts. */
const FORMATS = { '4': alertmanager, '1': grafana } as const;
/** Settings with which the command line reads a post. */
const READING = { maxBatch: 10_000 } as SettingsFile['intake'];

/**
 * Returns the alerts of a post of Alertmanager or Grafana in the form of `POST /v1/alerts`. Each has the
 * first kind of case that accepts it. null: the body is no such post.
 * @throws InvalidInput that names every wrong field.
 */
export function alertsOfPost(
  body: unknown,
  playbooks: readonly Pick<Playbook, 'name' | 'intake'>[],
): JsonObject[] | null {
  if (!isObject(body) || !('alerts' in body)) return null;
  const version = body['version'];
  const format = version === '1' || version === '4' ? FORMATS[version] : alertmanager;
  const read = format.read({ body, raw: new Uint8Array(), headers: {} }, READING, false);
  const problems = read.flatMap((one) => ('problems' in one ? one.problems : []));
  if (problems.length > 0) throw new InvalidInput(problems, 'post');
  const kind = playbooks.find(({ intake }) => intakeFormats(intake).includes(format.name));
  return read.flatMap((one) =>
    'alert' in one ? [{ ...(kind && { playbook: kind.name }), ...one.alert }] : [],
  );
}
