-- The webhook address whose secret proved an alert that was refused: a redrive counts as sent there.
ALTER TABLE "dead_letters" ADD COLUMN "proven_by" TEXT;
