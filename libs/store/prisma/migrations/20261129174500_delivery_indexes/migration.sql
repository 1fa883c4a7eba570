-- Messages about reviews that were not sent yet, or whose alert is open at its receiver; and escalated messages: few of many.
CREATE INDEX "outbound_reviews" ON "outbound_deliveries"("run_id")
  WHERE "kind" IN ('review-needed', 'review-overdue') AND ("state" = 'pending' OR "open_until" IS NOT NULL);
CREATE INDEX "outbound_escalated" ON "outbound_deliveries"("destination", "created_at") WHERE "key" LIKE 'escalated %';
