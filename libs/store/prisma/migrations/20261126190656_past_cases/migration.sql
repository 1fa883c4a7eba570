-- CreateTable
CREATE TABLE "past_cases" (
    "case_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "playbook" TEXT NOT NULL,
    "act_id" TEXT NOT NULL,
    "keys" TEXT[],
    "terms" TEXT[],
    "title" TEXT NOT NULL,
    "outcome" JSON NOT NULL,
    "note" TEXT,
    "agreed" BOOLEAN NOT NULL,
    "confirmed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "past_cases_pkey" PRIMARY KEY ("case_id")
);

-- CreateIndex
CREATE INDEX "past_cases_keys_idx" ON "past_cases" USING GIN ("keys");

-- Answers of earlier releases become past cases too: the events of all answers are read again, which changes no lesson.
DELETE FROM "event_readers" WHERE "name" = 'lessons';
