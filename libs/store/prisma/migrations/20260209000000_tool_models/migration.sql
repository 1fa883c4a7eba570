-- AlterTable
ALTER TABLE "llm_interactions" ADD COLUMN     "tool_call_id" UUID;

-- A place is one of the stage, or one of a tool call of it. Workers of the version before write nulls, and are held to the
-- same places as ever.
CREATE UNIQUE INDEX "llm_interactions_place_of" ON "llm_interactions"("run_id", "unit", "stage", "round", "step", "attempt", "tool_call_id") NULLS NOT DISTINCT;
DROP INDEX "llm_interactions_place";
ALTER INDEX "llm_interactions_place_of" RENAME TO "llm_interactions_place";
