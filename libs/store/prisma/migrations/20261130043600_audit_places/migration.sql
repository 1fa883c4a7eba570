-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "read_to" TEXT;

-- TRUNCATE is no DELETE: the trigger of 20261126193017_audit_log does not see it.
CREATE TRIGGER "audit_entries_not_truncated" BEFORE TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_entries_only_added"();
