-- Work that a worker could take now, per stage and lane, for autoscalers and boards. The columns are a stable
-- contract (docs/operate/scaling.md): later versions may add columns at the end, and neither rename nor remove any.
--
-- A unit is due if it waits for a worker and is not delayed, or if the lease of its worker has ended. A unit in work,
-- delayed or suspended is not due. Ids of runs sort by time, so the age is read from the runs that are first in line:
-- a backlog of 100,000 units does not make the view slow.
CREATE VIEW "casefile_backlog" ("stage", "lane", "due", "oldest_seconds") AS
WITH waiting AS (
  SELECT u."stage", u."lane", u."run_id", u."left_at",
    row_number() OVER (PARTITION BY u."stage", u."lane" ORDER BY u."run_id") AS place
  FROM "units" u
  WHERE u."sweep_minute" IS NOT NULL
    AND (u."status" = 'due' AND (NOT u."held" OR u."resume_at" <= now())
      OR u."status" = 'running' AND u."lease_until" <= now())
)
SELECT w."stage", w."lane", count(*)::bigint,
  greatest(0, extract(epoch FROM now() - min(
    CASE WHEN w.place <= 100 THEN greatest(
      (SELECT r."created_at" FROM "runs" r WHERE r."id" = w."run_id"),
      w."left_at",
      (SELECT max(e."at") FROM "events" e WHERE e."run_id" = w."run_id")) END)))::float8
FROM waiting w
GROUP BY w."stage", w."lane";
