-- Results of tools that are too long to travel with their calls.
CREATE TABLE "tool_results" (
    "tool_call_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_results_pkey" PRIMARY KEY ("tool_call_id")
);
