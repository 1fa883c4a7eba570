-- What goes back to the provider with the next turn, and what it lets be seen of the reasoning.
ALTER TABLE "llm_interactions" ADD COLUMN "provider_state" JSON,
ADD COLUMN "reasoning_kind" TEXT;
