import type { Report } from '@casefile/contracts';
import { inertText, listSection, buildReport, type ReportInput } from '@casefile/pipeline';

/** The report for people. */
export function writeReport(input: ReportInput): Report {
  return buildReport(
    'Size of a parcel',
    [listSection('Why', [input.draft.explanation]), inertText(input.brief.text)],
    input,
  );
}
