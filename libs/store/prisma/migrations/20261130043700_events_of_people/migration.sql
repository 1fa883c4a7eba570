-- A check of the audit log counts the events of people between two entries. Most events are steps of workers. The
-- condition is `IS_ACT` of record/audit-events.ts.
CREATE INDEX CONCURRENTLY "events_of_people" ON "events"("xid", "id") WHERE coalesce(data ->> 'caller', data ->> 'by', data ->> 'editedBy', '') <> '' OR type LIKE 'operator.%' OR type IN ('batch.created', 'batch.applied', 'batch.discarded');
