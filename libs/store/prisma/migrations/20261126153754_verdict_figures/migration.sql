-- CreateTable
CREATE TABLE "verdict_figures" (
    "run_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "playbook" TEXT NOT NULL,
    "lane" TEXT NOT NULL,
    "strategy" TEXT NOT NULL,
    "provider" TEXT,
    "model" TEXT,
    "prompts" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "confidence_source" TEXT NOT NULL,
    "disposition" TEXT NOT NULL,
    "degraded" BOOLEAN NOT NULL,
    "cited" INTEGER NOT NULL,
    "verified" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "tokens" INTEGER NOT NULL,
    "cost_usd" DOUBLE PRECISION NOT NULL,
    "latency_ms" DOUBLE PRECISION NOT NULL,
    "decided_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "verdict_figures_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "event_readers" (
    "name" TEXT NOT NULL,
    "xid" BIGINT NOT NULL,
    "event_id" BIGINT NOT NULL,

    CONSTRAINT "event_readers_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "verdict_figures_decided_at_idx" ON "verdict_figures"("decided_at");
