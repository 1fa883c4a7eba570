-- Answers and tool calls of another run that were read in place of asking again.
ALTER TABLE "llm_interactions" ADD COLUMN "read_from" UUID;
ALTER TABLE "tool_calls" ADD COLUMN "read_from" UUID;
