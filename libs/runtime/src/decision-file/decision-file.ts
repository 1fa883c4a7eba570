import { createHash, sign, type KeyObject } from 'node:crypto';
import {
  canonicalJson,
  DECISION_FILE_FORMAT,
  type CaseDocument,
  type DecisionFile,
  type Json,
  type KeptPrompt,
  type ReviewDetail,
  type RunDocument,
} from '@casefile/contracts';
import { publicKeyText } from './signing-key.js';

/** The record of a case from which a decision file is written. */
export interface DecisionSource {
  document: CaseDocument;
  /** Acts of people on the verdict; null: the case has no verdict. */
  review: ReviewDetail | null;
  /** Texts of the prompts that its runs used. */
  prompts: readonly KeptPrompt[];
  /** Version of this program. */
  version: string;
}

/**
 * Returns the signed file of a case. Each part of the record has its own hash, so that verification can name
 * the part that was changed. The signature covers the ids and hashes of all parts in their order.
 */
export function signDecision(source: DecisionSource, key: KeyObject, exportedAt: string): DecisionFile {
  const records = recordsIn(source).map(([id, body]) => ({ id, sha256: recordHash(body), body }));
  const unsigned = {
    format: DECISION_FILE_FORMAT,
    caseId: source.document.id,
    exportedAt,
    version: source.version,
    records,
  } as const;
  const publicKey = publicKeyText(key);
  const value = sign(null, signedBytes(unsigned), key).toString('base64');
  return { ...unsigned, signature: { algorithm: 'ed25519', publicKey, value } };
}

/** Returns the only text of a file that verification accepts: canonical JSON, indented by one space. */
export function decisionText(file: DecisionFile): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(file)), null, 1)}\n`;
}

/** Returns the bytes that are signed: the canonical JSON of the file without signature and bodies. */
export function signedBytes({ records, ...head }: Omit<DecisionFile, 'signature'>): Buffer {
  const listed = records.map(({ id, sha256 }) => ({ id, sha256 }));
  return Buffer.from(canonicalJson({ ...head, records: listed }));
}

/** Returns the SHA-256 of the canonical JSON of a body, hexadecimal. */
export function recordHash(body: Json): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}

function recordsIn({ document, review, prompts }: DecisionSource): [id: string, body: Json][] {
  const { alerts, runs, ...facts } = document;
  const parts: [string, unknown][] = [
    ['case', facts],
    ...alerts.map((alert): [string, unknown] => [`alerts/${alert.id}`, alert]),
    ...runs.flatMap(runRecords),
  ];
  if (review !== null) {
    const { standing, answers, history, correction } = review;
    parts.push(['people', { standing, answers, history, correction }]);
  }
  for (const prompt of prompts) parts.push([`prompts/${prompt.id}`, prompt]);
  // The parts are converted to JSON and back, so that the file holds exactly what its reader parses.
  return parts.map(([id, body]) => [id, JSON.parse(JSON.stringify(body)) as Json]);
}

function runRecords(run: RunDocument): [id: string, body: unknown][] {
  const { artifacts, toolCalls, interactions, trace, ...facts } = run;
  const at = `runs/${run.id}`;
  return [
    [at, facts],
    ...artifacts.map((one, i): [string, unknown] => [`${at}/artifacts/${i + 1}-${one.artifact}`, one]),
    ...toolCalls.map((one): [string, unknown] => [`${at}/tool-calls/${one.id}`, one]),
    ...interactions.map((one): [string, unknown] => [`${at}/interactions/${one.id}`, one]),
    ...trace.map((one): [string, unknown] => [`${at}/events/${one.id}`, one]),
  ];
}
