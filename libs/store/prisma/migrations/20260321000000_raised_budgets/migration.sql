-- What people added to a window of a budget, beyond its configured limit.
ALTER TABLE "budgets" ADD COLUMN     "raised" BIGINT NOT NULL DEFAULT 0;
