-- Silences count their withheld messages by this index. Few deliveries have a silence.
CREATE INDEX CONCURRENTLY "outbound_deliveries_silenced" ON "outbound_deliveries"("silence_id") WHERE "silence_id" IS NOT NULL;
