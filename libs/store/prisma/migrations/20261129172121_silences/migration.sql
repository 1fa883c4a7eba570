-- AlterTable
ALTER TABLE "outbound_deliveries" ADD COLUMN     "silence_id" TEXT;

-- CreateTable
CREATE TABLE "silences" (
    "id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "matchers" JSON NOT NULL,
    "starts_at" TIMESTAMPTZ(6) NOT NULL,
    "ends_at" TIMESTAMPTZ(6) NOT NULL,
    "reason" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "ended_by" TEXT,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "silences_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "withheld_verdicts" (
    "run_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "silence_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "is_critical" BOOLEAN NOT NULL,
    "settled_at" TIMESTAMPTZ(6),

    CONSTRAINT "withheld_verdicts_pkey" PRIMARY KEY ("run_id")
);

-- CreateIndex
CREATE INDEX "silences_ends_at_idx" ON "silences"("ends_at");

-- CreateIndex
CREATE INDEX "withheld_verdicts_silence_id_idx" ON "withheld_verdicts"("silence_id");

-- CreateIndex
CREATE INDEX "withheld_verdicts_settled_at_at_idx" ON "withheld_verdicts"("settled_at", "at");
