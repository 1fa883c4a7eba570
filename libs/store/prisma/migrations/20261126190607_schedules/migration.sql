-- CreateTable
CREATE TABLE "schedules" (
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "timing" TEXT NOT NULL,
    "done_until" TIMESTAMPTZ(6) NOT NULL,
    "last_due_at" TIMESTAMPTZ(6),
    "last_run_at" TIMESTAMPTZ(6),
    "last_case_id" UUID,
    "failing_since" TIMESTAMPTZ(6),
    "problem" TEXT,
    "fetched" JSON,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("kind","name")
);
