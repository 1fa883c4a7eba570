-- A batch leaves out cases that a person decided and verdicts that did not change. It notes which verdicts it delivers.
ALTER TABLE "batch_members" ADD COLUMN     "sent" BOOLEAN;

ALTER TABLE "batch_members" DROP CONSTRAINT "batch_members_state";
ALTER TABLE "batch_members" ADD CONSTRAINT "batch_members_state"
  CHECK ("state" IN ('waiting', 'opened', 'decided', 'failed', 'applied', 'by_person', 'overtaken', 'unchanged'));
