-- Runbooks of alerts, and every text they had.
CREATE TABLE "runbooks" (
    "name" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL,
    "origin" TEXT NOT NULL,
    "gone_at" TIMESTAMPTZ(6),

    CONSTRAINT "runbooks_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "runbook_versions" (
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "pin" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "address" TEXT,
    "alerts" TEXT[],
    "labels" JSON NOT NULL,
    "imported_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "runbook_versions_pkey" PRIMARY KEY ("name", "version")
);

CREATE UNIQUE INDEX "runbook_versions_name_digest_key" ON "runbook_versions"("name", "digest");

ALTER TABLE "runbook_versions" ADD CONSTRAINT "runbook_versions_name_fkey" FOREIGN KEY ("name") REFERENCES "runbooks"("name") ON DELETE CASCADE ON UPDATE CASCADE;
