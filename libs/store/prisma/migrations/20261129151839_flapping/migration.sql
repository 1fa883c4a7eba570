-- AlterTable
ALTER TABLE "cases" ADD COLUMN     "flapped_at" TIMESTAMPTZ(6);

CREATE INDEX "cases_flapped" ON "cases"("flapped_at") WHERE "flapped_at" IS NOT NULL;
-- Messages that no receiver accepted yet, and those that none accepted at all: few of many.
CREATE INDEX "outbound_unaccepted" ON "outbound_deliveries"("destination", "created_at") WHERE "state" <> 'delivered';
CREATE INDEX "outbound_exhausted" ON "outbound_deliveries"("destination") WHERE "state" = 'exhausted';
CREATE INDEX "outbound_subjects" ON "outbound_deliveries"("destination", "subject", "seq") WHERE "subject" IS NOT NULL;
