/**
 * Parts of a case that a reviewer may judge: the alert as its sender shows it, the declared sections, the view of the
 * kind, the report, and the claims of the answer with the result of their cross-examination.
 */
export const JUDGED_PARTS = ['alert', 'sections', 'view', 'report', 'claims'] as const;
export type JudgedPart = (typeof JUDGED_PARTS)[number];
