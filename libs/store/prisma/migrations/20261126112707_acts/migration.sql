-- Acts on what is rolled out. The events of a record have no index by act, and may be dropped by age.
-- CreateTable
CREATE TABLE "acts" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "acts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "acts_subject_at_idx" ON "acts"("subject", "at");
