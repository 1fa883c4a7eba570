-- AlterTable
ALTER TABLE "cases" ADD COLUMN     "dataset" TEXT;

-- AlterTable
ALTER TABLE "case_words" ADD COLUMN     "dataset" TEXT;

-- CreateIndex
CREATE INDEX "cases_dataset_newest" ON "cases"("dataset", "created_at" DESC, "id" DESC);

-- What the schema file cannot say.

CREATE OR REPLACE FUNCTION "note_alert_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO case_words (case_id, created_at, words, dataset)
  SELECT c.id, c.created_at, words_of(f.text), c.dataset FROM fresh f JOIN cases c ON c.id = f.case_id WHERE f.text <> '';
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "note_report_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO case_words (case_id, created_at, words, dataset)
  SELECT c.id, c.created_at, words_of(NEW.body ->> 'markdown'), c.dataset FROM runs r JOIN cases c ON c.id = r.case_id
  WHERE r.id = NEW.run_id AND NEW.body ->> 'markdown' <> '';
  RETURN NULL;
END $$;
