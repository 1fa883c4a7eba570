-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "cases" (
    "id" UUID NOT NULL,
    "playbook" TEXT NOT NULL,
    "fingerprint" TEXT,
    "status" TEXT NOT NULL DEFAULT 'open',
    "alert_count" INTEGER NOT NULL DEFAULT 1,
    "text" TEXT NOT NULL DEFAULT '',
    "leading_run_id" UUID,
    "newest_run_id" UUID,
    "lane" TEXT NOT NULL,
    "disposition" TEXT,
    "action" TEXT,
    "decided_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alerts" (
    "id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "playbook" TEXT NOT NULL,
    "text" TEXT,
    "image_type" TEXT,
    "image" TEXT,
    "rest" JSON NOT NULL,
    "received_at" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "alert_id" UUID NOT NULL,
    "lane" TEXT NOT NULL,
    "settings" JSON NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'due',
    "reason_code" TEXT,
    "message" TEXT,
    "disposition" TEXT,
    "action" TEXT,
    "confidence" DOUBLE PRECISION,
    "degraded" BOOLEAN,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "units" (
    "run_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "case_id" UUID NOT NULL,
    "lane" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'due',
    "stage" TEXT NOT NULL,
    "round" INTEGER NOT NULL DEFAULT 1,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "nudges" INTEGER NOT NULL DEFAULT 1,
    "lease_until" TIMESTAMPTZ(6),
    "resume_at" TIMESTAMPTZ(6),
    "sweep_minute" INTEGER GENERATED ALWAYS AS (floor(extract(epoch FROM ("resume_at" - TIMESTAMPTZ '2000-01-01 00:00:00+00')) / 60)::integer) STORED,
    "held" BOOLEAN NOT NULL DEFAULT false,
    "crashes" INTEGER NOT NULL DEFAULT 0,
    "first_crash_at" TIMESTAMPTZ(6),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "wait_step" INTEGER,
    "wait_signal" TEXT,
    "wait_over" BOOLEAN NOT NULL DEFAULT false,
    "open_units" INTEGER NOT NULL DEFAULT 0,
    "reason_code" TEXT,
    "message" TEXT,

    CONSTRAINT "units_pkey" PRIMARY KEY ("run_id","unit")
);

-- CreateTable
CREATE TABLE "artifacts" (
    "run_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "artifact" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "body" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("run_id","unit","artifact","round")
);

-- CreateTable
CREATE TABLE "evidence_items" (
    "run_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "item_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "tool_name" TEXT NOT NULL,
    "entity_type" TEXT NOT NULL,
    "entity_value" TEXT NOT NULL,
    "result" JSON,
    "success" BOOLEAN NOT NULL,
    "reason" TEXT,
    "message" TEXT,
    "source" TEXT NOT NULL,
    "at" TEXT NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "evidence_items_pkey" PRIMARY KEY ("run_id","unit","round","item_id")
);

-- CreateTable
CREATE TABLE "tool_calls" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "case_id" UUID NOT NULL,
    "lane" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "args" JSON NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "result" JSON,
    "source" TEXT,
    "reason_code" TEXT,
    "message" TEXT,
    "duration_ms" DOUBLE PRECISION,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "nudges" INTEGER NOT NULL DEFAULT 1,
    "crashes" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(6),
    "resume_at" TIMESTAMPTZ(6),
    "sweep_minute" INTEGER GENERATED ALWAYS AS (floor(extract(epoch FROM ("resume_at" - TIMESTAMPTZ '2000-01-01 00:00:00+00')) / 60)::integer) STORED,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(6),

    CONSTRAINT "tool_calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "llm_interactions" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "prompt_id" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "request" JSON NOT NULL,
    "draw" JSON NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "response" JSON,
    "content" TEXT,
    "tool_calls" JSON,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "reasoning_tokens" INTEGER NOT NULL DEFAULT 0,
    "cached_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DOUBLE PRECISION,
    "latency_ms" DOUBLE PRECISION,
    "finish_reason" TEXT,
    "error_code" TEXT,
    "has_reasoning" BOOLEAN NOT NULL DEFAULT false,
    "reasoning_content" TEXT,
    "reasoning_summary" TEXT,
    "reasoning_source" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(6),

    CONSTRAINT "llm_interactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "type" TEXT NOT NULL,
    "case_id" UUID,
    "run_id" UUID,
    "data" JSON NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("xid","id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(6),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "key" TEXT NOT NULL,
    "body_digest" TEXT NOT NULL,
    "alert_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "joined" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "dead_letters" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reason_code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "payload" JSON,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dead_letters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scam_reports" (
    "entity_type" TEXT NOT NULL,
    "entity_value" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "report_count" INTEGER NOT NULL,
    "risk_score" DOUBLE PRECISION NOT NULL,
    "first_reported_at" TIMESTAMPTZ(6),
    "last_reported_at" TIMESTAMPTZ(6),
    "imported_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scam_reports_pkey" PRIMARY KEY ("entity_type","entity_value","source")
);

-- CreateIndex
CREATE INDEX "cases_newest" ON "cases"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "alerts_case_id_idx" ON "alerts"("case_id");

-- CreateIndex
CREATE INDEX "runs_case_id_idx" ON "runs"("case_id");

-- CreateIndex
CREATE INDEX "units_sweep" ON "units"("sweep_minute");

-- CreateIndex
CREATE INDEX "tool_calls_sweep" ON "tool_calls"("sweep_minute");

-- CreateIndex
CREATE UNIQUE INDEX "tool_calls_place" ON "tool_calls"("run_id", "unit", "stage", "round", "step", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "llm_interactions_place" ON "llm_interactions"("run_id", "unit", "stage", "round", "step", "attempt");

-- CreateIndex
CREATE INDEX "events_run_id_idx" ON "events"("run_id");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_run_id_key" ON "deliveries"("run_id");

-- CreateIndex
CREATE INDEX "dead_letters_at_idx" ON "dead_letters"("at" DESC);

-- AddForeignKey
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "cases"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "cases"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema file cannot say.

-- Room on the page for the next version of a row: hot updates stay on it and touch no index.
ALTER TABLE "units" SET (fillfactor = 60);
ALTER TABLE "runs" SET (fillfactor = 60);
ALTER TABLE "tool_calls" SET (fillfactor = 70);
ALTER TABLE "llm_interactions" SET (fillfactor = 70);

-- Images and texts are base64 or read rarely: no time is spent on packing images.
ALTER TABLE "alerts" ALTER COLUMN "image" SET STORAGE EXTERNAL;

-- One open case a fingerprint, and one verdict a run.
CREATE UNIQUE INDEX "cases_one_a_fingerprint" ON "cases"("fingerprint") WHERE "status" <> 'closed' AND "fingerprint" IS NOT NULL;
CREATE UNIQUE INDEX "artifacts_one_verdict" ON "artifacts"("run_id") WHERE "artifact" = 'verdict';

-- Back-pressure, the sweeper's pages, dead letters, and deliveries not made yet.
CREATE INDEX "runs_unfinished" ON "runs"("id") WHERE "status" = 'due';
CREATE INDEX "runs_quarantined" ON "runs"("ended_at") WHERE "status" = 'quarantined';
CREATE INDEX "deliveries_pending" ON "deliveries"("created_at") WHERE "delivered_at" IS NULL;

-- Words of alerts and reports. Bounded, for a text search vector may not be larger than 1 MB.
CREATE INDEX "alerts_words" ON "alerts" USING GIN (to_tsvector('simple'::regconfig, left("text", 50000)));
CREATE INDEX "artifacts_report_words" ON "artifacts" USING GIN (to_tsvector('simple'::regconfig, left("body" ->> 'markdown', 50000))) WHERE "artifact" = 'report';

ALTER TABLE "cases" ADD CONSTRAINT "cases_status" CHECK ("status" IN ('open', 'decided', 'closed'));
ALTER TABLE "runs" ADD CONSTRAINT "runs_status" CHECK ("status" IN ('due', 'decided', 'stopped', 'quarantined'));
ALTER TABLE "units" ADD CONSTRAINT "units_status" CHECK ("status" IN ('due', 'running', 'suspended', 'parked', 'decided', 'stopped', 'quarantined', 'joining', 'finished'));
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_state" CHECK ("state" IN ('pending', 'running', 'succeeded', 'failed'));
ALTER TABLE "llm_interactions" ADD CONSTRAINT "llm_interactions_state" CHECK ("state" IN ('pending', 'completed', 'failed', 'ambiguous'));
