-- CreateTable
CREATE TABLE "destination_entries" (
    "name" TEXT NOT NULL,
    "entry" JSON NOT NULL,
    "changed_by" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "destination_entries_pkey" PRIMARY KEY ("name")
);
