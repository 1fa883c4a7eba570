-- Storage of rows that grow with every case. Both settings hold for new pages, rewrite nothing, and block no read or write.

-- A call is written before it is made and again with its answer. With room on the page, the second version stays there
-- and touches no index.
ALTER TABLE "llm_interactions" SET (fillfactor = 40);

-- Each update of a run changes a column that an index depends on, so that none stays on its page.
ALTER TABLE "runs" RESET (fillfactor);
