-- The table so far becomes the first partition. It is not read: its constraint was checked before.
-- The partitions have a schema of their own, so that lists of tables show the table alone.
LOCK TABLE llm_interactions IN ACCESS EXCLUSIVE MODE;
-- After a restore of an older dump the schema and the functions can be there already.
CREATE SCHEMA IF NOT EXISTS calls_by_month;
ALTER TABLE llm_interactions SET SCHEMA calls_by_month;
ALTER TABLE calls_by_month.llm_interactions RENAME TO before_months;

CREATE TABLE llm_interactions (LIKE calls_by_month.before_months INCLUDING ALL EXCLUDING INDEXES)
  PARTITION BY RANGE (run_id);
ALTER TABLE llm_interactions DROP CONSTRAINT calls_before_months;
-- `id` is unique in each partition. A primary key of the whole would have to contain `run_id`.
CREATE UNIQUE INDEX llm_interactions_place
  ON llm_interactions (run_id, unit, stage, round, step, attempt, tool_call_id) NULLS NOT DISTINCT;
CREATE INDEX llm_interactions_at ON llm_interactions USING BRIN (created_at) WITH (autosummarize = on);

DO $$
DECLARE
  until_id text := (
    SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''') FROM pg_constraint
    WHERE conrelid = 'calls_by_month.before_months'::regclass AND conname = 'calls_before_months');
  right_of record;
BEGIN
  EXECUTE format('ALTER TABLE llm_interactions ATTACH PARTITION calls_by_month.before_months
    FOR VALUES FROM (MINVALUE) TO (%L)', until_id);
  -- Roles that have rights on the table or on columns of it keep them.
  FOR right_of IN
    SELECT a.privilege_type || coalesce(' (' || quote_ident(o.attname) || ')', '') AS name,
      coalesce(quote_ident(r.rolname), 'PUBLIC') AS grantee,
      CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END AS more
    FROM (
        SELECT relacl AS acl, NULL AS attname FROM pg_class WHERE oid = 'calls_by_month.before_months'::regclass
        UNION ALL
        SELECT attacl, attname FROM pg_attribute
        WHERE attrelid = 'calls_by_month.before_months'::regclass AND attnum > 0 AND NOT attisdropped) o
      CROSS JOIN LATERAL aclexplode(o.acl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
  LOOP
    EXECUTE format('GRANT %s ON llm_interactions TO %s%s', right_of.name, right_of.grantee, right_of.more);
  END LOOP;
END $$;

-- Calls of runs whose month has no partition. `add_month_of_calls` moves them to their month.
CREATE TABLE calls_by_month.others PARTITION OF llm_interactions DEFAULT;
ALTER TABLE calls_by_month.others ADD PRIMARY KEY (id);

-- The partitions with their bounds, oldest first. The name of the table is text, so that it can be dropped by a restore.
CREATE OR REPLACE VIEW months_of_calls AS
  SELECT c.relname::text AS name, b.from_id, b.until_id, obj_description(c.oid, 'pg_class') IS NOT DISTINCT FROM 'compact' AS is_compact
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS text) e
    CROSS JOIN LATERAL (SELECT
      substring(e.text FROM 'FROM \(''([0-9a-f-]{36})''\)')::uuid AS from_id,
      substring(e.text FROM 'TO \(''([0-9a-f-]{36})''\)')::uuid AS until_id) b
  WHERE i.inhparent = to_regclass('llm_interactions') AND b.until_id IS NOT NULL
  ORDER BY b.until_id;

-- An empty table for the rows of one partition, without connection to it.
CREATE OR REPLACE FUNCTION new_month_of_calls(name text, from_id uuid, until_id uuid, fill_factor int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE calls_by_month.%I (LIKE llm_interactions INCLUDING ALL EXCLUDING INDEXES,
    PRIMARY KEY (id), CONSTRAINT month CHECK (run_id < %L AND (%L::uuid IS NULL OR run_id >= %L)))
    WITH (fillfactor = %s)', name, until_id, from_id, from_id, fill_factor);
END $$;

-- Adds a partition for the month after the last one, unless that month begins after `until`.
-- Returns whether it added one.
CREATE OR REPLACE FUNCTION add_month_of_calls(until timestamptz) RETURNS boolean LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  from_id uuid := (SELECT m.until_id FROM months_of_calls m ORDER BY m.until_id DESC LIMIT 1);
  until_id uuid := first_run_id_at(date_trunc('month', time_of_run_id(from_id)) + interval '1 month');
  name text := to_char(time_of_run_id(from_id), '"m"YYYY_MM');
BEGIN
  IF from_id > first_run_id_at(until) THEN
    RETURN false;
  END IF;
  -- Before the calls are moved, so that no answer is written to a call that moves.
  LOCK TABLE calls_by_month.others IN ACCESS EXCLUSIVE MODE;
  PERFORM new_month_of_calls(name, from_id, until_id, 40);
  EXECUTE format('WITH moved AS (DELETE FROM calls_by_month.others o WHERE o.run_id >= %L AND o.run_id < %L RETURNING *)
    INSERT INTO calls_by_month.%I SELECT * FROM moved', from_id, until_id, name);
  EXECUTE format('ALTER TABLE llm_interactions ATTACH PARTITION calls_by_month.%I FOR VALUES FROM (%L) TO (%L)',
    name, from_id, until_id);
  EXECUTE format('ALTER TABLE calls_by_month.%I DROP CONSTRAINT month', name);
  RETURN true;
END $$;

-- Months that were written after their copy began. Such a copy is dropped and begun again.
CREATE TABLE IF NOT EXISTS calls_by_month.written (month text PRIMARY KEY);
CREATE OR REPLACE FUNCTION calls_by_month.note_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO calls_by_month.written VALUES (TG_TABLE_NAME) ON CONFLICT DO NOTHING;
  RETURN coalesce(NEW, OLD);
END $$;

DO $$
BEGIN
  WHILE add_month_of_calls(now() + interval '3 months') LOOP
  END LOOP;
END $$;
