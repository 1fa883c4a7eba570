-- An act for another person, such as the withdrawal of a label, states the name of that person in `by`. Such an event
-- states the proven caller in `caller`, so that the audit log names who acted.
CREATE OR REPLACE FUNCTION "name_caller"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  caller jsonb := current_setting('casefile.caller')::jsonb;
  stated jsonb := json_strip_nulls(new.data)::jsonb;
BEGIN
  IF caller ? 'by' THEN
    new.data := (caller || new.data::jsonb || jsonb_build_object('by', coalesce(stated -> 'by', caller -> 'by'))
      || CASE WHEN stated -> 'by' <> caller -> 'by' THEN jsonb_build_object('caller', caller -> 'by') ELSE '{}' END)::json;
  ELSIF stated ?| array['by', 'editedBy'] THEN
    new.data := (caller || new.data::jsonb)::json;
  END IF;
  RETURN new;
END $$;
