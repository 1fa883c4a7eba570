-- CreateTable
CREATE TABLE "policies" (
    "id" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL,

    CONSTRAINT "policies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "policy_versions" (
    "policy_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "source_digest" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "pages" INTEGER,
    "sections" INTEGER NOT NULL,
    "imported_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policy_versions_pkey" PRIMARY KEY ("policy_id","version")
);

-- CreateTable
CREATE TABLE "policy_sections" (
    "policy_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "node_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "parent_id" TEXT,
    "level" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "page_from" INTEGER,
    "page_to" INTEGER,
    "line_from" INTEGER,
    "line_to" INTEGER,
    "text" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "policy_sections_pkey" PRIMARY KEY ("policy_id","version","node_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "policy_versions_policy_id_digest_key" ON "policy_versions"("policy_id", "digest");

-- CreateIndex
CREATE INDEX "policy_sections_policy_id_version_position_idx" ON "policy_sections"("policy_id", "version", "position");

-- CreateIndex
CREATE INDEX "policy_sections_words" ON "policy_sections" USING GIN ("words");

-- AddForeignKey
ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_sections" ADD CONSTRAINT "policy_sections_policy_id_version_fkey" FOREIGN KEY ("policy_id", "version") REFERENCES "policy_versions"("policy_id", "version") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema file cannot say.

ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_format" CHECK ("format" IN ('markdown', 'html', 'text', 'pdf'));
ALTER TABLE "policy_sections" ADD CONSTRAINT "policy_sections_pages" CHECK ("page_from" <= "page_to" AND "line_from" <= "line_to");

-- The words of a query, any of which may be in a text: ranks say how many are. A query of stop words alone finds nothing.
CREATE FUNCTION "any_word_of"("config" regconfig, "query" TEXT) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(plainto_tsquery("config", "query")::text, ' & ', ' | ')::tsquery;
