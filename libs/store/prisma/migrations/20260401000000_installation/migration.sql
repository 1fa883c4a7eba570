-- What the installation can do, as the service that asks models published it. The row published last is the current one.
CREATE TABLE "installations" (
    "digest" TEXT NOT NULL,
    "description" JSON NOT NULL,
    "published_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "installations_pkey" PRIMARY KEY ("digest")
);
CREATE INDEX "installations_published" ON "installations"("published_at");

-- Processes by their heartbeats.
CREATE TABLE "processes" (
    "id" UUID NOT NULL,
    "services" TEXT[] NOT NULL,
    "version" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "settings_digest" TEXT NOT NULL,
    "installation_digest" TEXT,
    "probes" JSON NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "stopped_at" TIMESTAMPTZ(6),

    CONSTRAINT "processes_pkey" PRIMARY KEY ("id")
);
