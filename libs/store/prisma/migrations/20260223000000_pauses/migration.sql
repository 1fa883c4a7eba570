-- AlterTable
ALTER TABLE "units" ADD COLUMN     "left_at" TIMESTAMPTZ(6),
ADD COLUMN     "paused_ms" INTEGER NOT NULL DEFAULT 0;
