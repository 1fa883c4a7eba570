import type { Report } from '@casefile/contracts';
import { inertText, listSection, titleReport, type ReportInput } from '@casefile/pipeline';

/** The report for people. */
export function writeReport(input: ReportInput): Report {
  return titleReport(
    'Size of a parcel',
    [listSection('Why', [input.draft.explanation]), inertText(input.brief.text)],
    input,
  );
}
