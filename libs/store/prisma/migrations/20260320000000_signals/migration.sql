-- What runs ask people while they wait, and what was chosen.
CREATE TABLE "signals" (
    "run_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "case_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "question" TEXT NOT NULL,
    "options" JSON NOT NULL,
    "fallback" TEXT NOT NULL,
    "value" TEXT,
    "by" TEXT,
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "until" TIMESTAMPTZ(6) NOT NULL,
    "given_at" TIMESTAMPTZ(6),

    CONSTRAINT "signals_pkey" PRIMARY KEY ("run_id", "unit", "stage", "round", "step")
);

CREATE INDEX "signals_case_id_idx" ON "signals"("case_id");
