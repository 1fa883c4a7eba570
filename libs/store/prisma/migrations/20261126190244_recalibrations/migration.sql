-- AlterTable
ALTER TABLE "verdict_figures" ADD COLUMN     "language" TEXT,
ADD COLUMN     "recalibration" INTEGER,
ADD COLUMN     "stated_confidence" DOUBLE PRECISION,
ADD COLUMN     "stated_source" TEXT;

-- CreateTable
CREATE TABLE "recalibrations" (
    "version" INTEGER NOT NULL,
    "playbook" TEXT NOT NULL,
    "strategy" TEXT NOT NULL,
    "prompts" TEXT NOT NULL,
    "model" TEXT,
    "language" TEXT,
    "confidence_source" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "labels" INTEGER NOT NULL,
    "oldest" TIMESTAMPTZ(6) NOT NULL,
    "newest" TIMESTAMPTZ(6) NOT NULL,
    "runs_digest" TEXT NOT NULL,
    "brier_stated" DOUBLE PRECISION NOT NULL,
    "brier_recalibrated" DOUBLE PRECISION NOT NULL,
    "points" JSON NOT NULL,
    "author" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "act_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recalibrations_pkey" PRIMARY KEY ("version")
);

-- CreateIndex
CREATE UNIQUE INDEX "recalibrations_act_id_key" ON "recalibrations"("act_id");
