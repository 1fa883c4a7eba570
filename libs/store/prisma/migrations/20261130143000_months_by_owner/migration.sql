-- Months of model calls are changed by functions that run as the owner of the tables, so that the role of a service
-- needs no right to change tables. `casefile database roles` grants the functions to the service that keeps the months.

CREATE OR REPLACE FUNCTION is_call_erased(request json, state text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (request ->> 'erased') IS NOT DISTINCT FROM 'true' AND state <> 'pending'
$$;

-- Past months whose newest call was erased and whose space is not freed yet, oldest first.
CREATE OR REPLACE FUNCTION erased_months_of_calls() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  month text;
  is_erased boolean;
BEGIN
  FOR month IN SELECT m.name FROM months_of_calls m
    WHERE NOT m.is_compact AND m.until_id <= first_run_id_at(date_trunc('month', now(), 'UTC'))
  LOOP
    EXECUTE format('SELECT is_call_erased(x.request, x.state) FROM calls_by_month.%I x ORDER BY x.run_id DESC LIMIT 1', month)
      INTO is_erased;
    IF is_erased THEN
      RETURN NEXT month;
    END IF;
  END LOOP;
END $$;

-- Whether the copy of a month can be continued. It is of no use if the month was written since the copy began, if
-- nothing noted that, or if a migration added a column meanwhile.
CREATE OR REPLACE FUNCTION calls_by_month.is_copy_usable(month text) RETURNS boolean LANGUAGE sql AS $$
  SELECT coalesce((SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = to_regclass(format('calls_by_month.%I', month || '_compact')) AND attnum > 0 AND NOT attisdropped)
    = (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = 'llm_interactions'::regclass AND attnum > 0 AND NOT attisdropped), false)
    AND EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(format('calls_by_month.%I', month)) AND tgname = 'note_write')
    AND NOT EXISTS (SELECT FROM calls_by_month.written w WHERE w.month = is_copy_usable.month)
$$;

-- Copies the next calls of a month, in the order of their runs, if all of them are erased. Begins a new copy if there
-- is none that can be used. `n`: the calls that were next. `is_kept`: one of them is not erased, and none was copied.
CREATE OR REPLACE FUNCTION copy_erased_calls(month text, most int) RETURNS TABLE (n int, is_kept boolean) LANGUAGE plpgsql AS $$
DECLARE
  copy text := month || '_compact';
  bounds record;
BEGIN
  SELECT m.from_id, m.until_id INTO STRICT bounds FROM months_of_calls m WHERE m.name = month;
  IF NOT calls_by_month.is_copy_usable(month) THEN
    EXECUTE format('DROP TABLE IF EXISTS calls_by_month.%I', copy);
    EXECUTE format('CREATE OR REPLACE TRIGGER note_write BEFORE INSERT OR UPDATE OR DELETE ON calls_by_month.%I
      FOR EACH ROW EXECUTE FUNCTION calls_by_month.note_write()', month);
    DELETE FROM calls_by_month.written w WHERE w.month = copy_erased_calls.month;
    PERFORM new_month_of_calls(copy, bounds.from_id, bounds.until_id, 100);
    -- The copy needs all indexes of the whole table before it is attached, or they are built while the table is locked.
    EXECUTE format('CREATE UNIQUE INDEX ON calls_by_month.%I
      (run_id, unit, stage, round, step, attempt, tool_call_id) NULLS NOT DISTINCT', copy);
    EXECUTE format('CREATE INDEX ON calls_by_month.%I USING brin (created_at) WITH (autosummarize = on)', copy);
  END IF;
  RETURN QUERY EXECUTE format('
    WITH next AS MATERIALIZED (%s),
    kept AS (SELECT FROM next x WHERE NOT is_call_erased(x.request, x.state) LIMIT 1),
    copied AS (INSERT INTO calls_by_month.%I SELECT * FROM next WHERE NOT EXISTS (SELECT FROM kept))
    SELECT (SELECT count(*)::int FROM next), EXISTS (SELECT FROM kept)',
    calls_by_month.calls_after_copied(month, most), copy);
END $$;

-- The statement that selects the next calls that a copy lacks.
CREATE OR REPLACE FUNCTION calls_by_month.calls_after_copied(month text, most int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format('
    WITH last AS (SELECT c.run_id, c.id FROM calls_by_month.%2$I c ORDER BY c.run_id DESC, c.id DESC LIMIT 1)
    SELECT x.* FROM calls_by_month.%1$I x
    WHERE (x.run_id, x.id) > (coalesce((SELECT run_id FROM last), %3$L), coalesce((SELECT id FROM last), %3$L))
    ORDER BY x.run_id, x.id LIMIT %4$s', month, month || '_compact', '00000000-0000-0000-0000-000000000000'::uuid, most)
$$;

-- Replaces a month by its complete copy and drops the old table. Returns no row if the copy is not complete.
-- Locks the whole table and then its partitions, in the order of all other statements, which would else deadlock.
CREATE OR REPLACE FUNCTION replace_month_of_calls(month text) RETURNS TABLE (bytes_before float8, bytes_after float8)
LANGUAGE plpgsql AS $$
DECLARE
  copy text := month || '_compact';
  bounds record;
  is_missing boolean;
BEGIN
  SELECT m.from_id, m.until_id INTO STRICT bounds FROM months_of_calls m WHERE m.name = month;
  LOCK TABLE llm_interactions IN ACCESS EXCLUSIVE MODE;
  IF NOT calls_by_month.is_copy_usable(month) THEN
    RETURN;
  END IF;
  EXECUTE format('SELECT EXISTS (%s)', calls_by_month.calls_after_copied(month, 1)) INTO is_missing;
  IF is_missing THEN
    RETURN;
  END IF;
  bytes_before := pg_total_relation_size(format('calls_by_month.%I', month)::regclass);
  bytes_after := pg_total_relation_size(format('calls_by_month.%I', copy)::regclass);
  -- The constraint of the copy proves its bounds, so that it is not read while it is attached.
  EXECUTE format('DROP TABLE calls_by_month.%I', month);
  EXECUTE format('ALTER TABLE calls_by_month.%I RENAME TO %I', copy, month);
  EXECUTE format('ALTER TABLE llm_interactions ATTACH PARTITION calls_by_month.%I FOR VALUES FROM (%s) TO (%L)',
    month, coalesce(quote_literal(bounds.from_id), 'MINVALUE'), bounds.until_id);
  EXECUTE format('ALTER TABLE calls_by_month.%I DROP CONSTRAINT month', month);
  EXECUTE format('COMMENT ON TABLE calls_by_month.%I IS ''compact''', month);
  RETURN NEXT;
END $$;

-- They run as the owner, with the tables of this schema and no other, and only for those to whom they are granted.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY array['add_month_of_calls(timestamptz)', 'erased_months_of_calls()', 'copy_erased_calls(text, int)',
    'replace_month_of_calls(text)', 'calls_by_month.note_write()']
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END $$;
