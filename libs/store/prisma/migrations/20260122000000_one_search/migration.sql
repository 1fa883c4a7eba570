-- Words are looked up in case_words; these two are read by nothing and each write paid for them.
DROP INDEX IF EXISTS "alerts_words";
DROP INDEX IF EXISTS "artifacts_report_words";
