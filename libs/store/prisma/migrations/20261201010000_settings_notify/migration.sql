-- Processes read these tables again after a change, instead of every few seconds. The channel of a rollout stays,
-- because the version before listens to it during an upgrade. An unknown channel costs nothing.
CREATE FUNCTION "notify_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('casefile_' || TG_ARGV[0], '');
  RETURN NULL;
END $$;
CREATE TRIGGER "data_sources_notify" AFTER INSERT OR UPDATE OR DELETE ON "data_sources"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_change"('settings');
CREATE TRIGGER "destination_entries_notify" AFTER INSERT OR UPDATE OR DELETE ON "destination_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_change"('settings');
CREATE TRIGGER "installations_notify" AFTER INSERT OR UPDATE ON "installations"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_change"('settings');
-- An import can be claimed after it became ready, and after another one ended or was released.
CREATE TRIGGER "imports_notify" AFTER UPDATE OF "state" ON "imports"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_change"('imports');
