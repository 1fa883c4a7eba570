-- Reads of model calls for statements that lock rows. From Postgres 18 on, a statement that waits for a row lock and then
-- chooses a partition can crash the server, so the sessions of the services switch that choice off. These functions
-- lock no rows and switch it on for themselves: they read the month of the run alone.

-- The calls of one step of a unit, without those of tool calls, as the claim of the step loads them. NULL: none.
CREATE OR REPLACE FUNCTION calls_of_step(run uuid, unit text, stage text, round int) RETURNS json
LANGUAGE plpgsql STABLE SET enable_partition_pruning = on AS $$
#variable_conflict use_column
BEGIN
  RETURN (
    SELECT json_agg(row_to_json(x) ORDER BY x.step, x.attempt) FROM llm_interactions x
    WHERE x.run_id = calls_of_step.run AND x.unit = calls_of_step.unit AND x.stage = calls_of_step.stage
      AND x.round = calls_of_step.round AND x.tool_call_id IS NULL);
END
$$;

-- Whether the intent of this call is written and has no result yet.
CREATE OR REPLACE FUNCTION is_call_pending(run uuid, call uuid, hash text) RETURNS boolean
LANGUAGE plpgsql STABLE SET enable_partition_pruning = on AS $$
#variable_conflict use_column
BEGIN
  RETURN EXISTS (
    SELECT FROM llm_interactions x
    WHERE x.run_id = is_call_pending.run AND x.id = is_call_pending.call AND x.request_hash = is_call_pending.hash
      AND x.state = 'pending');
END
$$;
