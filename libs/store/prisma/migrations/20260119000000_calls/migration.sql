-- What was reserved for a call, and how it came to its model.
ALTER TABLE "llm_interactions" ADD COLUMN "reservations" JSON,
ADD COLUMN "route" TEXT;

-- CreateTable
CREATE TABLE "budgets" (
    "key" TEXT NOT NULL,
    "window" TEXT NOT NULL,
    "measure" TEXT NOT NULL,
    "limit" BIGINT NOT NULL,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "spent" BIGINT NOT NULL DEFAULT 0,
    "warned" BOOLEAN NOT NULL DEFAULT false,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("key","window")
);

-- CreateTable
CREATE TABLE "provider_states" (
    "provider" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'closed',
    "opened_until" TIMESTAMPTZ(6),
    "probe_until" TIMESTAMPTZ(6),
    "reason" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "openings" INTEGER NOT NULL DEFAULT 0,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_states_pkey" PRIMARY KEY ("provider")
);

-- CreateTable
CREATE TABLE "provider_buckets" (
    "provider" TEXT NOT NULL,
    "born_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "refilled_ms" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "requests" DOUBLE PRECISION,
    "tokens" DOUBLE PRECISION,
    "holders" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "provider_buckets_pkey" PRIMARY KEY ("provider")
);

-- What the schema file cannot say.

-- The same few rows are written at every call: their versions stay on the page.
ALTER TABLE "budgets" SET (fillfactor = 50);
ALTER TABLE "provider_states" SET (fillfactor = 50);
ALTER TABLE "provider_buckets" SET (fillfactor = 50);

ALTER TABLE "budgets" ADD CONSTRAINT "budgets_measure" CHECK ("measure" IN ('usd', 'tokens'));
ALTER TABLE "provider_states" ADD CONSTRAINT "provider_states_state" CHECK ("state" IN ('closed', 'open', 'half-open'));

-- A run may wait for a person or a budget.
ALTER TABLE "runs" DROP CONSTRAINT "runs_status";
ALTER TABLE "runs" ADD CONSTRAINT "runs_status" CHECK ("status" IN ('due', 'parked', 'decided', 'stopped', 'quarantined'));
