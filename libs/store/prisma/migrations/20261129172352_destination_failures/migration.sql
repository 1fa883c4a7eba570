-- AlterTable
ALTER TABLE "destinations" ADD COLUMN     "last_failure_at" TIMESTAMPTZ(6),
ADD COLUMN     "last_problem" TEXT,
ADD COLUMN     "resumed_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "outbound_deliveries" ADD COLUMN     "ended_why" TEXT;
