-- The console counts held units by this index, without reading all that wait.
-- Its column never changes: an index of the stage would be written, with all others, at each change of stage.
CREATE INDEX CONCURRENTLY "units_held" ON "units"("run_id") WHERE "held";
