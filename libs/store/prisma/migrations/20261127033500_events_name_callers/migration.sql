-- States in each event of a request who acted and how that was proven. The transaction of the request sets the caller.
-- An event that states a name keeps it. Without a proof, only a stated name is marked.
CREATE FUNCTION "name_caller"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  caller jsonb := current_setting('casefile.caller')::jsonb;
  stated jsonb := json_strip_nulls(new.data)::jsonb;
BEGIN
  IF caller ? 'by' THEN
    new.data := (caller || new.data::jsonb || jsonb_build_object('by', coalesce(stated -> 'by', caller -> 'by')))::json;
  ELSIF stated ?| array['by', 'editedBy'] THEN
    new.data := (caller || new.data::jsonb)::json;
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER "events_name_caller" BEFORE INSERT ON "events" FOR EACH ROW
  WHEN (current_setting('casefile.caller', true) <> '') EXECUTE FUNCTION "name_caller"();
