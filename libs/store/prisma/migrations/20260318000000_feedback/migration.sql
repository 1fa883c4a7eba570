-- What people say of verdicts; what was said stays when somebody says otherwise.
CREATE TABLE "feedback" (
    "id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "agrees" BOOLEAN NOT NULL,
    "outcome" JSON NOT NULL,
    "by" TEXT NOT NULL,
    "note" TEXT,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feedback_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "feedback_case_id_idx" ON "feedback"("case_id");
