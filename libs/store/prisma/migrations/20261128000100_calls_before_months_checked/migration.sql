-- Reads the whole table, which can be written meanwhile.
ALTER TABLE llm_interactions VALIDATE CONSTRAINT calls_before_months;
