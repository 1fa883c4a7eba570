-- Cases that are judged again together, what came of each, and which verdict an applied one replaces.
CREATE TABLE "batches" (
    "id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'running',
    "ask" JSON NOT NULL,
    "rate_per_second" DOUBLE PRECISION,
    "budget_usd" DOUBLE PRECISION,
    "estimate_usd" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paused_at" TIMESTAMPTZ(6),
    "paused_ms" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "done_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),

    CONSTRAINT "batches_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "batch_members" (
    "batch_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "case_id" UUID NOT NULL,
    "base_run_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "flipped" BOOLEAN,
    "cost_usd" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "message" TEXT,
    "settled_at" TIMESTAMPTZ(6),

    CONSTRAINT "batch_members_pkey" PRIMARY KEY ("batch_id","position")
);

CREATE UNIQUE INDEX "batch_members_once" ON "batch_members"("batch_id", "case_id");
CREATE UNIQUE INDEX "batch_members_run" ON "batch_members"("run_id");

ALTER TABLE "batch_members" ADD CONSTRAINT "batch_members_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "deliveries" ADD COLUMN "replaces" UUID;

ALTER TABLE "batch_members" SET (fillfactor = 70);
CREATE INDEX "batches_at_work" ON "batches"("created_at") WHERE "state" IN ('running', 'applying');
CREATE INDEX "batch_members_open" ON "batch_members"("batch_id", "position") WHERE "state" IN ('waiting', 'opened', 'decided');
ALTER TABLE "batches" ADD CONSTRAINT "batches_state" CHECK ("state" IN ('running', 'paused', 'done', 'applying', 'applied', 'discarded'));
ALTER TABLE "batch_members" ADD CONSTRAINT "batch_members_state" CHECK ("state" IN ('waiting', 'opened', 'decided', 'failed', 'applied', 'overtaken'));
