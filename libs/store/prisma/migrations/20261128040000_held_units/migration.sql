-- The console counts held units, and a person who has a provider tried again wakes some: without reading all that wait.
CREATE INDEX CONCURRENTLY "units_held" ON "units"("stage", "lane") WHERE "held";
