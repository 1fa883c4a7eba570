/** A question to people, as a row. */
export const ASK_COLUMNS = `i int, step int, name text, question text, options json, fallback text, timeout_ms float8`;

/** Writes down what the units in `moved` ask people while they wait; what is on the record stays as it is. */
export const asks = (source: string): string => `
  asked as (
    insert into signals (run_id, unit, stage, round, step, case_id, name, question, options, fallback, until)
    select m.run_id, m.unit, m.done_stage, m.done_round, s.step, m.case_id, s.name, s.question, s.options, s.fallback,
      now() + s.timeout_ms * interval '1 ms'
    from ${source} join moved m on m.i = s.i on conflict do nothing)`;
