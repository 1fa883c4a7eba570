-- What servers of tools list, and what of it a person has approved.
CREATE TABLE "tool_servers" (
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "why" TEXT,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_servers_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "tool_entries" (
    "server" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "seen_hash" TEXT NOT NULL,
    "seen_entry" JSON NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "gone" BOOLEAN NOT NULL DEFAULT false,
    "approved_hash" TEXT,
    "approved_entry" JSON,
    "approved_at" TIMESTAMPTZ(6),
    "approved_by" TEXT,

    CONSTRAINT "tool_entries_pkey" PRIMARY KEY ("server", "tool")
);
