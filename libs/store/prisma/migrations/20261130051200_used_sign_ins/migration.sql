-- CreateTable
CREATE TABLE "used_sign_ins" (
    "state_hash" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "used_sign_ins_pkey" PRIMARY KEY ("state_hash")
);
