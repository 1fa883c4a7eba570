-- CreateTable
CREATE TABLE "scam_patterns" (
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "scam_type" TEXT NOT NULL,
    "texts" JSONB NOT NULL,
    "red_flags" TEXT[],
    "source" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scam_patterns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pattern_vectors" (
    "pattern_id" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "dimension" INTEGER NOT NULL,
    "vector" REAL[],
    "revision" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pattern_vectors_pkey" PRIMARY KEY ("model","pattern_id","language")
);

-- CreateTable
CREATE TABLE "knowledge_bases" (
    "name" TEXT NOT NULL,
    "revision" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "knowledge_bases_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "engagement_sessions" (
    "id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "stage" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "category" TEXT,
    "confidence" DOUBLE PRECISION NOT NULL,
    "red_flags" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "engagement_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "scam_patterns_revision_idx" ON "scam_patterns"("revision");

-- CreateIndex
CREATE INDEX "pattern_vectors_model_revision_idx" ON "pattern_vectors"("model", "revision");

-- What the schema file cannot say.

ALTER TABLE "pattern_vectors" ADD CONSTRAINT "pattern_vectors_dimension" CHECK (cardinality("vector") = "dimension");
ALTER TABLE "engagement_sessions" ADD CONSTRAINT "engagement_sessions_action" CHECK ("action" IN ('engage', 'probe'));
