-- CreateTable
CREATE TABLE "examinations" (
    "run_id" UUID NOT NULL,
    "unit" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "case_id" UUID NOT NULL,
    "playbook" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "planted" INTEGER NOT NULL,
    "supported" INTEGER NOT NULL,
    "supports_all" BOOLEAN,
    "decided_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "examinations_pkey" PRIMARY KEY ("run_id","unit","round")
);

-- CreateIndex
CREATE INDEX "examinations_decided_at_idx" ON "examinations"("decided_at");
