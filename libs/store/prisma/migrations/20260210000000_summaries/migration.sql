-- AlterTable
ALTER TABLE "policy_sections" ADD COLUMN     "summary_by" TEXT;
