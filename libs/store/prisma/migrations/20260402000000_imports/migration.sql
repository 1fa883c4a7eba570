-- Imports into knowledge bases that clients posted, and the files of those that have not ended.
CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT,
    "origin" TEXT,
    "options" JSON NOT NULL DEFAULT '{}',
    "state" TEXT NOT NULL DEFAULT 'receiving',
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "crashes" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(6),
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "progress" JSON,
    "lines" JSON NOT NULL DEFAULT '[]',
    "complete" BOOLEAN,
    "problem" JSON,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(6),
    "done_at" TIMESTAMPTZ(6),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "imports_state_kind_created_at_id_idx" ON "imports"("state", "kind", "created_at", "id");

CREATE TABLE "import_pieces" (
    "import_id" UUID NOT NULL,
    "file" INTEGER NOT NULL,
    "piece" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "import_pieces_pkey" PRIMARY KEY ("import_id","file","piece")
);

ALTER TABLE "import_pieces" ADD CONSTRAINT "import_pieces_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;
