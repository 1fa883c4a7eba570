-- CreateTable
CREATE TABLE "series_samples" (
    "step" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "bucket" TIMESTAMPTZ(6) NOT NULL,
    "name" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "series_samples_pkey" PRIMARY KEY ("step","metric","bucket","name")
);
