-- CreateTable
CREATE TABLE "review_samples" (
    "run_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "probability" DOUBLE PRECISION NOT NULL,
    "decided_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "review_samples_pkey" PRIMARY KEY ("run_id")
);

-- CreateIndex
CREATE INDEX "review_samples_decided_at_run_id_idx" ON "review_samples"("decided_at", "run_id");
