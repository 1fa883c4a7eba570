-- CreateTable
CREATE TABLE "lessons" (
    "case_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "act_id" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "event" TEXT,
    "own_proposal" BOOLEAN NOT NULL,
    "reports" JSON NOT NULL,
    "pattern" JSON,
    "state" TEXT NOT NULL,
    "learned_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(6),

    CONSTRAINT "lessons_pkey" PRIMARY KEY ("case_id")
);

-- CreateIndex
CREATE INDEX "lessons_state_case_id_idx" ON "lessons"("state", "case_id");
