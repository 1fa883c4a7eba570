-- AlterTable
ALTER TABLE "cases" ADD COLUMN     "flapped_at" TIMESTAMPTZ(6);

CREATE INDEX "cases_flapped" ON "cases"("flapped_at") WHERE "flapped_at" IS NOT NULL;
