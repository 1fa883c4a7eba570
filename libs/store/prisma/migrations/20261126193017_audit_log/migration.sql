-- CreateTable
CREATE TABLE "audit_entries" (
    "seq" BIGINT NOT NULL,
    "at" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "act" TEXT NOT NULL,
    "subject" TEXT,
    "case_id" UUID,
    "run_id" UUID,
    "event_xid" BIGINT NOT NULL,
    "event_id" BIGINT NOT NULL,
    "digest" TEXT NOT NULL,
    "previous" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("seq")
);

-- CreateIndex
CREATE INDEX "audit_entries_case_id_idx" ON "audit_entries"("case_id");

-- Entries are only added. The owner of the database can remove this trigger; a head that was noted elsewhere shows it.
CREATE FUNCTION "audit_entries_only_added"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'entries of the audit log are only added';
END $$;
CREATE TRIGGER "audit_entries_only_added" BEFORE UPDATE OR DELETE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_entries_only_added"();
