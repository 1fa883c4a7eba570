-- AlterTable
ALTER TABLE "policy_sections" ADD COLUMN     "confidential" BOOLEAN NOT NULL DEFAULT false;
