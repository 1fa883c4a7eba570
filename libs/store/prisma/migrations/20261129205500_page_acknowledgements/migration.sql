-- AlterTable
ALTER TABLE "outbound_deliveries" ADD COLUMN "acknowledged_at" TIMESTAMPTZ(6), ADD COLUMN "acknowledged_by" TEXT;

-- Pages that no person acknowledged. Each pass reads those of the last days.
CREATE INDEX "outbound_unacknowledged" ON "outbound_deliveries"("destination", "ended_at")
  WHERE "state" = 'delivered' AND "kind" IN ('verdict', 'review-needed', 'review-overdue') AND "acknowledged_at" IS NULL;
