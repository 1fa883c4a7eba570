-- CreateTable
CREATE TABLE "evolutions" (
    "id" UUID NOT NULL,
    "playbook" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "dataset" TEXT,
    "state" TEXT NOT NULL DEFAULT 'running',
    "reason" TEXT,
    "weights" JSON NOT NULL,
    "budget_usd" DOUBLE PRECISION NOT NULL,
    "base_version" INTEGER NOT NULL,
    "step" INTEGER NOT NULL DEFAULT 0,
    "progress" JSON NOT NULL,
    "report" JSON,
    "version" INTEGER,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(6),
    "paused_at" TIMESTAMPTZ(6),
    "paused_ms" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "evolutions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "evolutions_state_idx" ON "evolutions"("state");
