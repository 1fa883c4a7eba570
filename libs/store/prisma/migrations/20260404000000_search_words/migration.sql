-- Search finds what pages show: parts of ids and hyphenated words, and phone numbers however they are written.

-- Each part of a text that punctuation joins. The parser of Postgres keeps `SP-20871`, `+449098790123`, hosts and paths whole.
CREATE FUNCTION "parts_of"("text" TEXT) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig, translate("text", '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));

-- Numbers of 7 to 15 digits without what separates their digits, and without the international prefix 00. E.164.
CREATE FUNCTION "numbers_of"("text" TEXT) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT array_to_tsvector(coalesce(array_agg(DISTINCT n.digits), '{}')) FROM (
    SELECT regexp_replace(regexp_replace(m.run[1], '[^0-9]', '', 'g'), '^00', '') AS digits
    FROM regexp_matches("text", '[0-9](?:[ ().\-/]{0,3}[0-9]){6,14}', 'g') AS m(run) LIMIT 500) n);

-- The words as they were stand beside the parts: programs of an earlier release look for those.
CREATE OR REPLACE FUNCTION "words_of"("text" TEXT) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN strip(to_tsvector('simple'::regconfig, left("text", 50000)) || parts_of(left("text", 50000)))
    || numbers_of(left("text", 50000));

-- What an alert shows: its text, the text of its case where it has none, and its payload without JSON's escapes.
CREATE FUNCTION "shown_of"("text" TEXT, "case_text" TEXT, "rest" JSON) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN concat_ws(' ', coalesce(nullif("text", ''), "case_text"),
    regexp_replace(left("rest" ->> 'payload', 50000), '\\.', ' ', 'g'));

CREATE OR REPLACE FUNCTION "note_alert_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO case_words (case_id, created_at, words, dataset)
  SELECT c.id, c.created_at, words_of(s.shown), c.dataset
  FROM fresh f JOIN cases c ON c.id = f.case_id CROSS JOIN LATERAL (SELECT shown_of(f.text, c.text, f.rest) AS shown) s
  WHERE s.shown <> '';
  RETURN NULL;
END $$;

-- What is there already, anew. One statement, so that it removes the words of the alerts and reports that it reads and no others:
-- those that are written meanwhile keep theirs.
WITH "before" AS (DELETE FROM "case_words")
INSERT INTO "case_words" ("case_id", "created_at", "words", "dataset")
  SELECT c.id, c.created_at, words_of(s.shown), c.dataset
  FROM alerts a JOIN cases c ON c.id = a.case_id CROSS JOIN LATERAL (SELECT shown_of(a.text, c.text, a.rest) AS shown) s
  WHERE s.shown <> ''
  UNION ALL
  SELECT c.id, c.created_at, words_of(f.body ->> 'markdown'), c.dataset
  FROM artifacts f JOIN runs r ON r.id = f.run_id JOIN cases c ON c.id = r.case_id
  WHERE f.artifact = 'report' AND f.body ->> 'markdown' <> '';
