-- CreateTable
CREATE TABLE "destinations" (
    "name" TEXT NOT NULL,
    "paused_at" TIMESTAMPTZ(6),
    "paused_by" TEXT,
    "paused_why" TEXT,
    "failing_since" TIMESTAMPTZ(6),
    "last_success_at" TIMESTAMPTZ(6),

    CONSTRAINT "destinations_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "outbound_deliveries" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "destination" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "case_id" UUID,
    "run_id" UUID,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "message" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "next_at" TIMESTAMPTZ(6),
    "taken_until" TIMESTAMPTZ(6),
    "last_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),
    "open_until" TIMESTAMPTZ(6),

    CONSTRAINT "outbound_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempts" (
    "id" BIGSERIAL NOT NULL,
    "delivery_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "status" INTEGER,
    "latency_ms" INTEGER NOT NULL,
    "problem" TEXT,
    "response" TEXT,

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "destination_threads" (
    "destination" TEXT NOT NULL,
    "case_id" UUID NOT NULL,
    "thread" TEXT NOT NULL,

    CONSTRAINT "destination_threads_pkey" PRIMARY KEY ("destination","case_id")
);

-- CreateIndex
CREATE INDEX "outbound_deliveries_destination_next_at_idx" ON "outbound_deliveries"("destination", "next_at");

-- CreateIndex
CREATE INDEX "outbound_deliveries_created_at_id_idx" ON "outbound_deliveries"("created_at", "id");

-- CreateIndex
CREATE INDEX "outbound_deliveries_case_id_idx" ON "outbound_deliveries"("case_id");

-- CreateIndex
CREATE INDEX "outbound_deliveries_open_until_idx" ON "outbound_deliveries"("open_until");

-- CreateIndex
CREATE UNIQUE INDEX "outbound_deliveries_destination_key_key" ON "outbound_deliveries"("destination", "key");

-- CreateIndex
CREATE INDEX "delivery_attempts_delivery_id_idx" ON "delivery_attempts"("delivery_id");
