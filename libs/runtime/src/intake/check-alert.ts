import {
  alertInputSchema,
  fieldProblems,
  instantSchema,
  InvalidInput,
  type AcceptRequest,
  type AlertInput,
  type ChosenBy,
  type FieldProblem,
  type RunSettings,
  isObject,
  type JsonObject,
  MAX_IMAGE_BYTES,
  textProblem,
  type AlertImage,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import type { SettingsFile } from '../config/settings-schema.js';
import { type BodyBounds, MAX_DEPTH } from './body-bounds.js';
import { chooseKind, type ChosenKind, type KindChoice } from './choose-kind.js';

/** An acceptable alert and its kind of case. */
export interface CheckedAlert {
  alert: AcceptRequest['alert'];
  playbook: Playbook;
  chosenBy: ChosenBy;
}

/** Ports and limits for checking alerts. */
export interface CheckPorts {
  playbooks: readonly Playbook[];
  settingsOf(playbook: Playbook, alert: AlertInput): RunSettings;
}

export interface CheckLimits {
  /** Limits of one alert. */
  bounds: Pick<BodyBounds, 'maxAlertValues' | 'maxObjectKeys' | 'maxAlertBytes'>;
  /** Formats by the source that only they may send, because their posts are signed. Default: none. */
  reservedSources?: ReadonlyMap<string, string>;
  /** Kind for alerts that name none. Default: none is set. */
  playbookBy?: SettingsFile['intake']['playbookBy'];
}

/** Origin of an alert. */
export interface CameBy {
  /** Webhook format whose signature was verified. Default: unsigned. */
  provenBy?: string | undefined;
  queue?: string | undefined;
  /** Reason for the alert's kind, if its sender did not name the kind. */
  chosenBy?: ChosenBy | undefined;
}

/**
 * Returns the alert of a body with its kind.
 * @throws InvalidInput that names each wrong field.
 */
export function checkAlert(
  body: unknown,
  { provenBy, queue, chosenBy: cameOf }: CameBy,
  ports: CheckPorts,
  { bounds, reservedSources, playbookBy = [] }: CheckLimits,
): CheckedAlert {
  const unsafe = unsafeFields(body, bounds);
  if (unsafe.length > 0) throw refusal(unsafe);
  const parsed = alertInputSchema.safeParse(alertIn(body, ports.playbooks));
  if (!parsed.success) throw refusal(fieldProblems(parsed.error));
  const alert = parsed.data;
  const reserved = reservedSources?.get(alert.source?.trim().toLowerCase() ?? '');
  if (reserved !== undefined && reserved !== provenBy) throw refusal([notHere(alert.source, reserved)]);
  const { playbook, chosenBy: chosen } = alertKind(alert, ports, { settings: playbookBy, queue });
  const chosenBy = chosen.rule === 'name' ? (cameOf ?? chosen) : chosen;
  const problems = [
    ...(alert.image === undefined ? [] : imageProblems(alert.image)),
    ...timeProblems(alert),
    ...playbook.intake.problems(alert),
  ];
  if (problems.length > 0) throw refusal(problems);
  // Only intake sets the reason for the kind. An alert that is sent again may still carry the reason of its
  // first time, which is removed.
  const { chosenBy: _, ...sent } = alert;
  const choice = chosenBy.rule === 'name' ? {} : { chosenBy };
  return { alert: { ...sent, playbook: playbook.name, ...choice }, playbook, chosenBy };
}

function alertKind(
  alert: AlertInput,
  { playbooks, settingsOf }: CheckPorts,
  by: Pick<KindChoice, 'settings' | 'queue'>,
): ChosenKind {
  const optionsOf = (playbook: Playbook) => settingsOf(playbook, alert).options;
  const chosen = chooseKind(alert, { playbooks, optionsOf, ...by });
  if (chosen !== null) return chosen;
  const playbookNames = playbooks.map((playbook) => playbook.name).join(', ');
  const message =
    alert.playbook === undefined
      ? `expected a playbook, for none of these matches: ${playbookNames}`
      : `expected one of ${playbookNames}; "${alert.playbook}" is not known`;
  throw refusal([{ path: 'playbook', message }]);
}

const refusal = (problems: FieldProblem[]): InvalidInput => new InvalidInput(problems, 'alert');

function notHere(source = '', format: string): FieldProblem {
  const message = `expected another source: alerts of "${source}" are taken signed at the address of ${format} alone`;
  return { path: 'source', message };
}

// The sender's time of a finding is displayed to people, so it must be valid.
function timeProblems({ evidence = [] }: AlertInput): FieldProblem[] {
  return evidence.flatMap(({ at }, index) =>
    at === undefined || instantSchema.safeParse(at).success
      ? []
      : [{ path: `evidence[${index}].at`, message: 'expected a time with its zone (2026-01-31T10:00:00Z)' }],
  );
}

/** Parts of an alert. A body with any of them is an alert in Casefile's own format. */
const PARTS = ['text', 'image', 'payload'];

/**
 * Returns the alert in a body. A body without these parts that a kind of case recognises, such as a post of
 * another system, becomes an alert's payload. Any other body is returned unchanged.
 */
export function alertIn(body: unknown, playbooks: readonly Pick<Playbook, 'name' | 'intake'>[]): unknown {
  if (!isObject(body)) return body;
  if (isMonitored(body, playbooks)) return { payload: body as JsonObject };
  if (PARTS.some((part) => body[part] !== undefined)) return body;
  if (Object.keys(body).every((key) => key === 'playbook')) return body;
  const playbook = playbooks.find(({ name }) => name === body['playbook']);
  const alert: AlertInput = {
    ...(playbook === undefined ? {} : { playbook: playbook.name }),
    payload: body as JsonObject,
  };
  const isRecognised =
    playbook === undefined
      ? body['playbook'] === undefined &&
        playbooks.some(({ intake }) => intake.claims(alert, () => ({})) !== null)
      : playbook.intake.problems(alert).length === 0;
  return isRecognised ? alert : body;
}

const ENVELOPE = Object.keys(alertInputSchema.shape);

// Some monitoring systems post a field `text` next to fields of their own. Such a body is no message.
function isMonitored(
  body: Record<string, unknown>,
  playbooks: readonly Pick<Playbook, 'name' | 'intake'>[],
): boolean {
  if (typeof body['text'] !== 'string' || body['image'] !== undefined || body['payload'] !== undefined)
    return false;
  if (body['playbook'] !== undefined || Object.keys(body).every((key) => ENVELOPE.includes(key)))
    return false;
  const alert: AlertInput = { payload: body as JsonObject };
  return playbooks.some(({ intake }) => intake.claims(alert, () => ({}))?.strength === 'recognises');
}

const MAX_PROBLEMS = 20;

type AlertBounds = Pick<BodyBounds, 'maxAlertValues' | 'maxObjectKeys' | 'maxAlertBytes'>;

interface Looking {
  problems: FieldProblem[];
  values: number;
  characters: number;
  bounds: AlertBounds;
}

/**
 * Returns problems that a schema does not detect: NUL, lone surrogates, excessive depth, too many values or
 * keys, too much text outside the image. Stops as soon as a limit is exceeded.
 */
export function unsafeFields(value: unknown, bounds: AlertBounds): FieldProblem[] {
  const looking: Looking = { problems: [], values: 0, characters: 0, bounds };
  look(value, '', 0, looking);
  return looking.problems;
}

function look(value: unknown, path: string, depth: number, at: Looking): void {
  if (at.problems.length >= MAX_PROBLEMS || isPast(at)) return;
  at.values += 1;
  if (at.values > at.bounds.maxAlertValues)
    return problem(at, '', `expected at most ${at.bounds.maxAlertValues} values (intake.maxAlertValues)`);
  if (depth > MAX_DEPTH) return problem(at, path, `expected at most ${MAX_DEPTH} levels of nesting`);
  if (typeof value === 'string') lookAtText(value, path, at);
  else if (Array.isArray(value)) value.forEach((entry, i) => look(entry, `${path}[${i}]`, depth + 1, at));
  else if (typeof value === 'object' && value !== null) lookAtObject(value, path, depth, at);
}

function isPast({ values, characters, bounds }: Looking): boolean {
  return values > bounds.maxAlertValues || characters > bounds.maxAlertBytes;
}

function lookAtObject(value: object, path: string, depth: number, at: Looking): void {
  const entries = Object.entries(value);
  if (entries.length > at.bounds.maxObjectKeys)
    return problem(at, path, `expected at most ${at.bounds.maxObjectKeys} keys (intake.maxObjectKeys)`);
  for (const [key, entry] of entries) {
    const inside = path === '' ? key : `${path}.${key}`;
    lookAtText(key, inside, at);
    look(entry, inside, depth + 1, at);
  }
}

function lookAtText(text: string, path: string, at: Looking): void {
  // The image is not counted here, because it has a separate limit.
  if (path !== 'image.base64') at.characters += text.length;
  if (at.characters > at.bounds.maxAlertBytes)
    return problem(
      at,
      path,
      `expected at most ${at.bounds.maxAlertBytes} bytes besides the image (intake.maxAlertBytes)`,
    );
  const wrong = textProblem(text);
  if (wrong !== null) problem(at, path, wrong);
}

function problem(at: Looking, path: string, message: string): void {
  at.problems.push({ path: path.replaceAll('\u0000', '\\0').toWellFormed().slice(0, 500), message });
}

/**
 * Base64 takes four characters for three bytes. Line breaks (one in 76 by RFC 2045) and a margin are added.
 */
const MAX_BASE64_CHARACTERS = Math.ceil((MAX_IMAGE_BYTES / 3) * 4 * 1.1);

const MAGIC: Record<AlertImage['mediaType'], (bytes: Buffer) => boolean> = {
  'image/png': (b) => b.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  'image/jpeg': (b) => b.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  'image/webp': (b) =>
    b.subarray(0, 4).toString('latin1') === 'RIFF' && b.subarray(8, 12).toString('latin1') === 'WEBP',
};

/**
 * Returns problems of an image: not base64, too large, or not of its stated type. Takes linear time. Triage
 * checks later whether the image can be decoded.
 */
export function imageProblems(image: AlertImage): FieldProblem[] {
  const path = 'image.base64';
  if (image.base64.length > MAX_BASE64_CHARACTERS)
    return [{ path, message: `expected at most ${MAX_IMAGE_BYTES} bytes` }];
  const base64 = image.base64.replace(/\s/g, '');
  // Searches for one wrong character, because a repetition over millions of characters would overflow the
  // stack of the regular expression.
  if (base64 === '' || /[^A-Za-z0-9+/]/.test(base64.replace(/={1,2}$/, '')))
    return [{ path, message: 'expected base64' }];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) return [{ path, message: `expected at most ${MAX_IMAGE_BYTES} bytes` }];
  if (!MAGIC[image.mediaType](bytes))
    return [{ path, message: `expected the bytes of an ${image.mediaType}` }];
  return [];
}
