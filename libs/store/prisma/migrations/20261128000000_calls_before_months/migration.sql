-- The first of three steps that divide llm_interactions by month (decision 0097). Each step is a transaction of its
-- own, so that the table is read without a lock that stops its use.

-- The smallest UUIDv7 of a time.
CREATE FUNCTION first_run_id_at(t timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(least((extract(epoch FROM t) * 1000)::bigint, (1::bigint << 48) - 1)), 12, '0') || repeat('0', 20))::uuid
$$;

-- The time in a UUIDv7.
CREATE FUNCTION time_of_run_id(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- All rows until the end of a month become one partition. The month ends at least seven days later, and after the
-- newest run.
DO $$
DECLARE
  newest timestamptz := (SELECT time_of_run_id(run_id) FROM llm_interactions ORDER BY run_id DESC LIMIT 1);
  until_id uuid := first_run_id_at(
    date_trunc('month', greatest(now() + interval '7 days', newest), 'UTC') + interval '1 month');
BEGIN
  EXECUTE format(
    'ALTER TABLE llm_interactions ADD CONSTRAINT calls_before_months CHECK (run_id < %L) NOT VALID', until_id);
END $$;
