-- CreateTable
CREATE TABLE "data_sources" (
    "name" TEXT NOT NULL,
    "entry" JSON NOT NULL,
    "changed_by" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "test_requested_at" TIMESTAMPTZ(6),

    CONSTRAINT "data_sources_pkey" PRIMARY KEY ("name")
);
