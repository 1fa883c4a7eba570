-- Comparisons read the runs of one experiment. Most runs belong to none.
CREATE INDEX "runs_experiment" ON "runs" (("settings" -> 'experiment' ->> 'id')) WHERE "settings" -> 'experiment' IS NOT NULL;

-- A case is not found by the words of a shadow run.
CREATE OR REPLACE FUNCTION "note_report_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO case_words (case_id, created_at, words, dataset)
  SELECT c.id, c.created_at, words_of(NEW.body ->> 'markdown'), c.dataset FROM runs r JOIN cases c ON c.id = r.case_id
  WHERE r.id = NEW.run_id AND r.lane <> 'shadow' AND NEW.body ->> 'markdown' <> '';
  RETURN NULL;
END $$;
