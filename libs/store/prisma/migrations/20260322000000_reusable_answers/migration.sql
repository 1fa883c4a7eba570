-- Which run answers a question, or has answered it, by a digest of everything that the answer depends on.
CREATE TABLE "reusable_answers" (
    "key" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "taken_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "reusable_answers_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "reusable_answers_expires_at_idx" ON "reusable_answers"("expires_at");
