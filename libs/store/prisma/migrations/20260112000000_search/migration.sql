-- What people look for and count: words of cases, facts of verdicts, what happened of late.

-- AlterTable
ALTER TABLE "cases" ADD COLUMN     "degraded" BOOLEAN,
ADD COLUMN     "method" TEXT;

-- CreateTable
CREATE TABLE "case_words" (
    "case_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "case_words_pkey" PRIMARY KEY ("case_id","id")
);

-- CreateIndex
CREATE INDEX "case_words_found" ON "case_words" USING GIN ("words");

-- CreateIndex
CREATE INDEX "llm_interactions_at" ON "llm_interactions" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "events_at" ON "events" USING BRIN ("at");

-- AddForeignKey
ALTER TABLE "case_words" ADD CONSTRAINT "case_words_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "cases"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema file cannot say.

-- Ranges are summed up as they fill, not at the next vacuum.
ALTER INDEX "events_at" SET (autosummarize = on);
ALTER INDEX "llm_interactions_at" SET (autosummarize = on);

-- What is counted over an hour. Readers repeat the condition word for word.
CREATE INDEX "events_ends" ON "events" ("at") WHERE "type" IN ('verdict.decided', 'stage.failed', 'run.stopped', 'run.quarantined') OR ("type" = 'tool-call.completed' AND "data" ->> 'state' = 'failed');

-- Work that waits for a person or a budget, beside runs_quarantined.
CREATE INDEX "runs_parked" ON "runs" ("ended_at") WHERE "status" = 'parked';

-- Bounded, for a text search vector may not be larger than 1 MB.
CREATE FUNCTION "words_of"("text" TEXT) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig, left("text", 50000));

CREATE FUNCTION "note_alert_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO case_words (case_id, created_at, words)
  SELECT c.id, c.created_at, words_of(f.text) FROM fresh f JOIN cases c ON c.id = f.case_id WHERE f.text <> '';
  RETURN NULL;
END $$;
CREATE TRIGGER "alerts_words_noted" AFTER INSERT ON "alerts" REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION "note_alert_words"();

CREATE FUNCTION "note_report_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO case_words (case_id, created_at, words)
  SELECT c.id, c.created_at, words_of(NEW.body ->> 'markdown') FROM runs r JOIN cases c ON c.id = r.case_id
  WHERE r.id = NEW.run_id AND NEW.body ->> 'markdown' <> '';
  RETURN NULL;
END $$;
CREATE TRIGGER "artifacts_report_words_noted" AFTER INSERT ON "artifacts" FOR EACH ROW
  WHEN (NEW.artifact = 'report') EXECUTE FUNCTION "note_report_words"();

-- Facts of the newest run's verdict beside those that the commit writes itself; they count while there is a disposition.
CREATE FUNCTION "note_verdict_facts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE cases c SET method = NEW.body ->> 'method', degraded = (NEW.body ->> 'degraded')::boolean
  FROM runs r WHERE r.id = NEW.run_id AND c.id = r.case_id AND c.newest_run_id = r.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "artifacts_verdict_facts_noted" AFTER INSERT ON "artifacts" FOR EACH ROW
  WHEN (NEW.artifact = 'verdict') EXECUTE FUNCTION "note_verdict_facts"();

-- What is there already.
INSERT INTO "case_words" ("case_id", "created_at", "words")
  SELECT c.id, c.created_at, words_of(a.text) FROM alerts a JOIN cases c ON c.id = a.case_id WHERE a.text <> '';
INSERT INTO "case_words" ("case_id", "created_at", "words")
  SELECT c.id, c.created_at, words_of(f.body ->> 'markdown')
  FROM artifacts f JOIN runs r ON r.id = f.run_id JOIN cases c ON c.id = r.case_id
  WHERE f.artifact = 'report' AND f.body ->> 'markdown' <> '';
UPDATE "cases" c SET "method" = v.body ->> 'method', "degraded" = (v.body ->> 'degraded')::boolean
  FROM artifacts v WHERE v.run_id = c.newest_run_id AND v.artifact = 'verdict';
