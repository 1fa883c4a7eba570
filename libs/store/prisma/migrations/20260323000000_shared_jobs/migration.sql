-- The job by which a unit is woken together with others that became due at the same moment.
ALTER TABLE "units" ADD COLUMN "shared_job" UUID;
