-- Keys of alerts from the queue by case: an erasure removes their jobs.
CREATE INDEX "idempotency_keys_of_alerts" ON "idempotency_keys"("case_id") WHERE key LIKE 'alerts:%';

-- Searches that can quote an erased past case.
CREATE INDEX "tool_calls_past_cases" ON "tool_calls"("run_id") WHERE tool = 'past_cases';
