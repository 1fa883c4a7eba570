-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "trace" TEXT;
