-- CreateTable
CREATE TABLE "sign_in_sessions" (
    "token_hash" TEXT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "source" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "groups" TEXT[],
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "sign_in_sessions_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_sessions_id_key" ON "sign_in_sessions"("id");

-- CreateIndex
CREATE INDEX "sign_in_sessions_source_subject_idx" ON "sign_in_sessions"("source", "subject");

-- CreateIndex
CREATE INDEX "sign_in_sessions_expires_at_idx" ON "sign_in_sessions"("expires_at");
