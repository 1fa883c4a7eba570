-- The sweeper reads overdue work in the order of this index: the work of live cases apart, so that it does not wait
-- behind a backlog of other lanes. Rows without a minute need no check, and most rows have none.
CREATE INDEX CONCURRENTLY "tool_calls_sweep_live" ON "tool_calls"("sweep_minute") WHERE "lane" = 'live' AND "sweep_minute" IS NOT NULL;
