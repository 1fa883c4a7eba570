-- CreateTable
CREATE TABLE "write_probe" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "write_probe_pkey" PRIMARY KEY ("id")
);
