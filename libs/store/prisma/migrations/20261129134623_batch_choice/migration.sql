-- AlterTable
ALTER TABLE "batch_members" ADD COLUMN     "change" TEXT;

ALTER TABLE "batch_members" DROP CONSTRAINT "batch_members_state";
ALTER TABLE "batch_members" ADD CONSTRAINT "batch_members_state"
  CHECK ("state" IN ('waiting', 'opened', 'decided', 'failed', 'applied', 'by_person', 'overtaken', 'unchanged', 'left_out'));
ALTER TABLE "batch_members" ADD CONSTRAINT "batch_members_change" CHECK ("change" IN ('message', 'basis', 'none'));
-- Verdicts of these batches are compared before they can be applied.
UPDATE "batches" SET "state" = 'running', "done_at" = NULL WHERE "state" IN ('done', 'applying');
