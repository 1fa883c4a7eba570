import {
  alertInputSchema,
  fieldProblems,
  instantSchema,
  InvalidInput,
  type AlertInput,
  type FieldProblem,
  type RunSettings,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { imageProblems, unsafeFields } from './alert-safety.js';
import type { BodyBounds } from './body-bounds.js';
import { alertIn } from './whole-body.js';

/** An alert that can be taken in, and its kind of case. */
export interface CheckedAlert {
  alert: AlertInput & { playbook: string };
  playbook: Playbook;
}

/** By what alerts are checked. */
export interface CheckPorts {
  playbooks: readonly Playbook[];
  settingsOf(playbook: Playbook, alert: AlertInput): RunSettings;
}

export interface CheckLimits {
  /** What one alert may hold. */
  bounds: Pick<BodyBounds, 'maxAlertValues' | 'maxObjectKeys' | 'maxAlertBytes'>;
  /** Formats by the source that they alone may send, since their posts are signed. Default: none. */
  reservedSources?: ReadonlyMap<string, string>;
}

/**
 * Returns the alert of a body with its kind.
 * @param provenBy The format whose signature the alert came with; undefined: it came unsigned.
 * @throws InvalidInput that names each wrong field.
 */
export function checkAlert(
  body: unknown,
  provenBy: string | undefined,
  ports: CheckPorts,
  { bounds, reservedSources }: CheckLimits,
): CheckedAlert {
  const unsafe = unsafeFields(body, bounds);
  if (unsafe.length > 0) throw refusal(unsafe);
  const parsed = alertInputSchema.safeParse(alertIn(body, ports.playbooks));
  if (!parsed.success) throw refusal(fieldProblems(parsed.error));
  const alert = parsed.data;
  const reserved = reservedSources?.get(alert.source?.trim().toLowerCase() ?? '');
  if (reserved !== undefined && reserved !== provenBy) throw refusal([notHere(alert.source, reserved)]);
  const playbook = playbookOf(alert, ports);
  const problems = [
    ...(alert.image === undefined ? [] : imageProblems(alert.image)),
    ...timeProblems(alert),
    ...playbook.intake.problems(alert),
  ];
  if (problems.length > 0) throw refusal(problems);
  return { alert: { ...alert, playbook: playbook.name }, playbook };
}

function playbookOf(alert: AlertInput, { playbooks, settingsOf }: CheckPorts): Playbook {
  const known = playbooks.map((playbook) => playbook.name).join(', ');
  const claimed = (by: 'asks' | 'matches') =>
    playbooks.find((p) => p.intake.claims(alert, () => settingsOf(p, alert).options) === by);
  const found =
    alert.playbook === undefined
      ? (claimed('asks') ?? claimed('matches'))
      : playbooks.find((p) => p.name === alert.playbook);
  if (found !== undefined) return found;
  const message =
    alert.playbook === undefined
      ? `expected a playbook, for none of these matches: ${known}`
      : `expected one of ${known}; "${alert.playbook}" is not known`;
  throw refusal([{ path: 'playbook', message }]);
}

const refusal = (problems: FieldProblem[]): InvalidInput => new InvalidInput(problems, 'alert');

function notHere(source = '', format: string): FieldProblem {
  const message = `expected another source: alerts of "${source}" are taken signed at the address of ${format} alone`;
  return { path: 'source', message };
}

// The sender's word for when something was found is shown beside it, so it must be a time.
function timeProblems({ evidence = [] }: AlertInput): FieldProblem[] {
  return evidence.flatMap(({ at }, index) =>
    at === undefined || instantSchema.safeParse(at).success
      ? []
      : [{ path: `evidence[${index}].at`, message: 'expected a time with its zone (2026-01-31T10:00:00Z)' }],
  );
}
