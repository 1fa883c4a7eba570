-- CreateTable
CREATE TABLE "storms" (
    "case_id" UUID NOT NULL,
    "playbook" TEXT NOT NULL,
    "keys" TEXT[],
    "is_mapped" BOOLEAN NOT NULL,
    "severity" TEXT NOT NULL,
    "first_at" TIMESTAMPTZ(6) NOT NULL,
    "last_at" TIMESTAMPTZ(6) NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "storms_pkey" PRIMARY KEY ("case_id")
);

-- CreateTable
CREATE TABLE "storm_members" (
    "run_id" UUID NOT NULL,
    "storm_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "services" TEXT[],
    "depends_on" TEXT[],
    "severity" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(6) NOT NULL,
    "joined_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(6),
    "verdict_run_id" UUID,

    CONSTRAINT "storm_members_pkey" PRIMARY KEY ("run_id")
);

-- CreateIndex
CREATE INDEX "storms_keys" ON "storms" USING GIN ("keys");

-- CreateIndex
CREATE INDEX "storm_members_storm" ON "storm_members"("storm_id");

-- CreateIndex
CREATE INDEX "storm_members_case" ON "storm_members"("case_id");

-- Storms with something to decide have alerts that arrived in the last minutes.
CREATE INDEX "storm_members_recent" ON "storm_members"("joined_at") WHERE "state" <> 'lead';
