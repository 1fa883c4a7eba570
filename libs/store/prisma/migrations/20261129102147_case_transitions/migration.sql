-- AlterTable
ALTER TABLE "cases" ADD COLUMN     "joined_by" TEXT,
ADD COLUMN     "peak" JSON;

-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "ignored" TEXT,
ALTER COLUMN "alert_id" DROP NOT NULL,
ALTER COLUMN "case_id" DROP NOT NULL,
ALTER COLUMN "run_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "recoveries" (
    "fingerprint" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6),
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recoveries_pkey" PRIMARY KEY ("fingerprint")
);

-- CreateIndex
CREATE INDEX "recoveries_at" ON "recoveries"("at");
