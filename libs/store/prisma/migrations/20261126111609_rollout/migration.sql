-- Changes that are rolled out: prompt versions, experiments, flags, and the errors of an experiment's arms.
-- CreateTable
CREATE TABLE "prompt_versions" (
    "playbook" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "parent" INTEGER,
    "state" TEXT NOT NULL,
    "moved_by" TEXT,
    "unfit" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompt_versions_pkey" PRIMARY KEY ("playbook","name","version")
);

-- CreateTable
CREATE TABLE "experiments" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "playbook" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "arms" JSON NOT NULL,
    "share" DOUBLE PRECISION NOT NULL,
    "margin" DOUBLE PRECISION NOT NULL,
    "expected_cases" INTEGER NOT NULL,
    "budget_usd" DOUBLE PRECISION,
    "error_limit" DOUBLE PRECISION NOT NULL DEFAULT 0.05,
    "salt" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),
    "cursor" JSON,

    CONSTRAINT "experiments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "flags" (
    "name" TEXT NOT NULL,
    "variant" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "latched" BOOLEAN NOT NULL DEFAULT false,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "flags_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "arm_health" (
    "experiment_id" UUID NOT NULL,
    "arm" TEXT NOT NULL,
    "cusum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "consecutive" INTEGER NOT NULL DEFAULT 0,
    "cases" INTEGER NOT NULL DEFAULT 0,
    "last" JSON NOT NULL DEFAULT '[]',
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "arm_health_pkey" PRIMARY KEY ("experiment_id","arm")
);

-- CreateIndex
CREATE UNIQUE INDEX "prompt_versions_playbook_name_sha256_key" ON "prompt_versions"("playbook", "name", "sha256");

-- CreateIndex
CREATE INDEX "experiments_state_idx" ON "experiments"("state");

-- One live version per prompt.
CREATE UNIQUE INDEX "prompt_versions_live" ON "prompt_versions"("playbook", "name") WHERE "state" = 'live';

-- A run names a text by id and digest, so a version keeps both.
CREATE FUNCTION "keep_prompt_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the text of a prompt version never changes: add a version';
END $$;
CREATE TRIGGER "prompt_versions_keep_text" BEFORE UPDATE ON "prompt_versions" FOR EACH ROW
  WHEN ((OLD."id", OLD."body", OLD."sha256") IS DISTINCT FROM (NEW."id", NEW."body", NEW."sha256"))
  EXECUTE FUNCTION "keep_prompt_text"();

-- Every process that accepts alerts reads these tables again after a change. The cursor of an experiment and the health
-- of its arms change with each case, and no accepting process reads them.
CREATE FUNCTION "notify_rollout"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('casefile_rollout', '');
  RETURN NULL;
END $$;
CREATE TRIGGER "prompt_versions_notify" AFTER INSERT OR UPDATE OR DELETE ON "prompt_versions"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_rollout"();
CREATE TRIGGER "experiments_notify" AFTER INSERT OR DELETE OR UPDATE OF "state", "arms", "share", "salt", "error_limit" ON "experiments"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_rollout"();
CREATE TRIGGER "flags_notify" AFTER INSERT OR UPDATE OR DELETE ON "flags"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_rollout"();
