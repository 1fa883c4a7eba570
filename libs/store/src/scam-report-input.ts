import { parseInput, z, type ScamReportInput } from '@casefile/contracts';

const time = z.iso.datetime({ offset: true, local: true }).or(z.iso.date()).optional();

const scamReportsSchema: z.ZodType<ScamReportInput[]> = z.array(
  z.object({
    entityType: z.string().min(1),
    entityValue: z.string().min(1),
    reportCount: z.number().int().min(0).max(2_147_483_647),
    riskScore: z.number().min(0).max(100),
    firstReportedAt: time,
    lastReportedAt: time,
    source: z.string().min(1),
  }),
);

/** Checked reports, the last of those with one (type, value, source). @throws InvalidInput that names `[i].field`. */
export function checkedScamReports(reports: ScamReportInput[]): ScamReportInput[] {
  const checked = parseInput(scamReportsSchema, reports, 'scam reports');
  const last = new Map<string, ScamReportInput>();
  for (const report of checked) {
    last.set(JSON.stringify([report.entityType, report.entityValue, report.source]), report);
  }
  return [...last.values()];
}
