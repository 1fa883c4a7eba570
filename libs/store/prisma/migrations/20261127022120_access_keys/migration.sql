-- CreateTable
CREATE TABLE "access_keys" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "role" TEXT,
    "scopes" TEXT[],
    "limits" JSON,
    "per_minute" INTEGER,
    "expires_at" TIMESTAMPTZ(6),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "rotated_from" TEXT,
    "replaced_by" TEXT,
    "overlap_until" TIMESTAMPTZ(6),

    CONSTRAINT "access_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "access_keys_created_at_idx" ON "access_keys"("created_at");

-- One key per name, besides revoked and replaced ones.
CREATE UNIQUE INDEX "access_keys_active_name" ON "access_keys"("name") WHERE "revoked_at" IS NULL AND "replaced_by" IS NULL;
