import type { Report } from '@casefile/contracts';
import { inertText, listed, titleReport, type ReportInput } from '@casefile/pipeline';

/** The report for people. */
export function writeReport(input: ReportInput): Report {
  return titleReport(
    'Size of a parcel',
    [listed('Why', [input.draft.explanation]), inertText(input.brief.text)],
    input,
  );
}
