-- CreateTable
CREATE TABLE "missing_look_ups" (
    "run_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "playbook" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "missing_look_ups_pkey" PRIMARY KEY ("run_id","tool","reason")
);

-- CreateIndex
CREATE INDEX "missing_look_ups_decided_at_idx" ON "missing_look_ups"("decided_at");

-- CreateIndex
CREATE INDEX "missing_look_ups_tool_case_id_idx" ON "missing_look_ups"("tool", "case_id");

-- Runs of earlier releases are read again for their look-ups. Their figures stay as they are.
DELETE FROM "event_readers" WHERE "name" = 'verdict_figures';
