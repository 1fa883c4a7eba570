-- The first of three steps that divide llm_interactions by month (decision 0097). Each step is a transaction of its
-- own, so that the table is read without a lock that stops its use.
SET LOCAL timezone = 'UTC';

-- The smallest UUIDv7 of a time.
CREATE OR REPLACE FUNCTION first_run_id_at(t timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN extract(epoch FROM t) * 1000 >= 1::bigint << 48 THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    ELSE (lpad(to_hex((extract(epoch FROM t) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid END
$$;

-- The time in a UUIDv7.
CREATE OR REPLACE FUNCTION time_of_run_id(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- All rows until the end of a month become one partition. The month is three months after the newest run, because
-- rows beyond it are refused until the third step, also if an older version has to be started again before that.
DO $$
DECLARE
  newest timestamptz := (SELECT time_of_run_id(run_id) FROM llm_interactions ORDER BY run_id DESC LIMIT 1);
  last_month timestamptz := CASE WHEN newest IS NULL THEN now() ELSE greatest(now(), newest) + interval '3 months' END;
  until_id uuid := first_run_id_at(date_trunc('month', last_month) + interval '1 month');
BEGIN
  EXECUTE format(
    'ALTER TABLE llm_interactions ADD CONSTRAINT calls_before_months CHECK (run_id < %L) NOT VALID', until_id);
END $$;
