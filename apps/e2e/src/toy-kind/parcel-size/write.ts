import type { Report } from '@casefile/contracts';
import { inertText, listed, reportOf, type ReportInput } from '@casefile/pipeline';

/** The report for people. */
export function writeReport(input: ReportInput): Report {
  return reportOf(
    'Size of a parcel',
    [listed('Why', [input.draft.explanation]), inertText(input.brief.text)],
    input,
  );
}
