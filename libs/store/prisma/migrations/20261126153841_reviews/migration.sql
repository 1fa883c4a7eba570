-- The review desk: what people do with verdicts, and corrected verdicts. Acts are rows of "acts".
-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "reviewed_at" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "reviews" (
    "case_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "assignee" TEXT,
    "snoozed_until" TIMESTAMPTZ(6),
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reviews_pkey" PRIMARY KEY ("case_id")
);

-- CreateTable
CREATE TABLE "review_viewers" (
    "case_id" UUID NOT NULL,
    "person" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "review_viewers_pkey" PRIMARY KEY ("case_id","person")
);

-- CreateTable
CREATE TABLE "corrected_verdicts" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "case_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "answer_id" TEXT,
    "body" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(6),
    "taken_at" TIMESTAMPTZ(6),
    "sent_at" TIMESTAMPTZ(6),
    "cancelled_at" TIMESTAMPTZ(6),

    CONSTRAINT "corrected_verdicts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "reviews_state_changed_at_case_id_idx" ON "reviews"("state", "changed_at", "case_id");

-- CreateIndex
CREATE INDEX "corrected_verdicts_case_id_seq_idx" ON "corrected_verdicts"("case_id", "seq");

-- Verdicts that wait for a person, in the order of the desk.
CREATE INDEX "runs_to_review" ON "runs"("decided_at", "id")
  WHERE "disposition" = 'review' AND "reviewed_at" IS NULL AND "lane" IN ('live', 'batch');

-- Corrected verdicts on their way out.
CREATE INDEX "corrected_verdicts_due" ON "corrected_verdicts"("due_at", "seq")
  WHERE "sent_at" IS NULL AND "cancelled_at" IS NULL;
