-- A member may be run twice, and is held against what people said it should be.
ALTER TABLE "batch_members" ADD COLUMN     "answers_asked" INTEGER,
ADD COLUMN     "right_before" BOOLEAN,
ADD COLUMN     "right_now" BOOLEAN,
ADD COLUMN     "same_requests" BOOLEAN,
ADD COLUMN     "twin_run_id" UUID,
ADD COLUMN     "unsteady" BOOLEAN;
