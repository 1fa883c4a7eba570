import { existsSync } from 'node:fs';
import {
  caseErasureSchema,
  CasefileError,
  erasureSentence,
  isObject,
  z,
  type Json,
} from '@casefile/contracts';
import type { VerifiedDecision } from '@casefile/runtime';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { readInputBytes, readInputFile } from '@casefile/kit/files/read-input-file';
import { print } from './options.js';

/** `casefile verify FILE` */
export function addVerify(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('verify')
    .description('verify a file of `casefile export decision`; needs no database and no network')
    .argument('<file>', 'the decision file; - for standard input')
    .option('--key <key>', 'public key of the signer: a PEM file, its base64, or "SHA256:..."')
    .option('--json', 'print the result as one JSON object')
    .action(async (file: string, { key, json }: { key?: string; json?: boolean }) => {
      const bytes = await readInputBytes(file);
      const expected = key === undefined || !existsSync(key) ? key : await readInputFile(key);
      // Loaded only by this command.
      const { verifyDecision } = await import('@casefile/runtime');
      try {
        const verified = verifyDecision(bytes, expected ?? null);
        print(terminal, { json }, verificationResult(verified), () => verifiedLines(verified).map(oneLine));
        end(EXIT.ok);
      } catch (thrown) {
        if (!(thrown instanceof CasefileError) || thrown.reasonCode !== 'bad_signature') throw thrown;
        print(terminal, { json }, { authentic: false, problem: thrown.message }, () => [
          oneLine(`NOT AUTHENTIC: ${thrown.message}`),
        ]);
        end(EXIT.failed);
      }
    });
}

function verificationResult({ file, fingerprint, isExpectedKey }: VerifiedDecision) {
  const { caseId, exportedAt, version, records } = file;
  return {
    authentic: true,
    caseId,
    exportedAt,
    version,
    records: records.length,
    key: fingerprint,
    isExpectedKey,
  };
}

function verifiedLines(verified: VerifiedDecision): string[] {
  const { file, fingerprint, isExpectedKey } = verified;
  return [
    `Unchanged since ${file.exportedAt}: case ${file.caseId}, ${file.records.length} records.`,
    ...verdictLines(file.records.find(({ id }) => id === 'case')?.body),
    isExpectedKey
      ? `Signed with the expected key ${fingerprint}.`
      : `Signed with ${fingerprint}. Compare this key with the one that its owner published, or pass it by --key.`,
  ];
}

function verdictLines(body: Json | undefined): string[] {
  const verdict = isObject(body) ? body['verdict'] : null;
  if (!isObject(verdict)) return ['The case had no verdict.'];
  const { disposition, confidence, decidedBy, decidedAt, reasons } = verdict;
  const by = isObject(decidedBy) ? `corrected by ${String(decidedBy['person'])}` : `at ${String(decidedAt)}`;
  const first = Array.isArray(reasons) ? reasons.slice(0, 3).map((reason) => `  ${String(reason)}`) : [];
  const erasures = z
    .array(caseErasureSchema)
    .catch([])
    .parse(isObject(body) ? body['erasures'] : []);
  const erased = erasures.map(erasureSentence);
  return [...erased, `Verdict: ${String(disposition)}, confidence ${String(confidence)}, ${by}`, ...first];
}
