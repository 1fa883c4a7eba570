-- CreateTable
CREATE TABLE "edited_alerts" (
    "letter_id" TEXT NOT NULL,
    "case_id" UUID NOT NULL,
    "alert_id" UUID NOT NULL,
    "reason_code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "original" JSON NOT NULL,
    "proven_by" TEXT,
    "edited_by" TEXT NOT NULL,
    "edited_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "buried_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "edited_alerts_pkey" PRIMARY KEY ("letter_id")
);

-- CreateIndex
CREATE INDEX "edited_alerts_case_id_idx" ON "edited_alerts"("case_id");

-- AddForeignKey
ALTER TABLE "edited_alerts" ADD CONSTRAINT "edited_alerts_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "cases"("id") ON DELETE CASCADE ON UPDATE CASCADE;
