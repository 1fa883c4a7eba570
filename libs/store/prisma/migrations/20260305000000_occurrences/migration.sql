-- AlterTable
ALTER TABLE "cases" ADD COLUMN     "covered_at" TIMESTAMPTZ(6),
ADD COLUMN     "flaps" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "resolved_at" TIMESTAMPTZ(6),
ADD COLUMN     "started_at" TIMESTAMPTZ(6);

-- A closed case whose sender tells occurrences apart is opened again by the next one.
CREATE INDEX "cases_closed_fingerprint" ON "cases"("fingerprint") WHERE "status" = 'closed' AND "fingerprint" IS NOT NULL;
