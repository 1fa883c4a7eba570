-- AlterTable
ALTER TABLE "outbound_deliveries" ADD COLUMN     "event" JSON,
ADD COLUMN     "subject" TEXT;

-- CreateTable
CREATE TABLE "condition_notices" (
    "destination" TEXT NOT NULL,
    "condition_id" TEXT NOT NULL,
    "is_open" BOOLEAN NOT NULL,
    "condition" JSON NOT NULL,
    "opened_at" TIMESTAMPTZ(6) NOT NULL,
    "closed_at" TIMESTAMPTZ(6),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "condition_notices_pkey" PRIMARY KEY ("destination","condition_id")
);

-- CreateTable
CREATE TABLE "reported_until" (
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "reported_until_pkey" PRIMARY KEY ("kind")
);
