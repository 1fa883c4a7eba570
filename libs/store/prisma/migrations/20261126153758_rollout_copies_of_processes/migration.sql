-- AlterTable
ALTER TABLE "processes" ADD COLUMN     "rollout_age_ms" INTEGER;
