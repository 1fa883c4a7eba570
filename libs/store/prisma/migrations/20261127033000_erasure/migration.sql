-- CreateTable
CREATE TABLE "erasure_requests" (
    "id" UUID NOT NULL,
    "subject" TEXT,
    "classes" TEXT[],
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erasure_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "erasure_members" (
    "request_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "why" TEXT,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erasure_members_pkey" PRIMARY KEY ("request_id","case_id")
);

-- CreateTable
CREATE TABLE "case_erasures" (
    "id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "classes" TEXT[],
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "digests" JSON NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "case_erasures_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "erasure_requests_created_at_id_idx" ON "erasure_requests"("created_at", "id");

-- CreateIndex
CREATE INDEX "case_erasures_case_id_at_idx" ON "case_erasures"("case_id", "at");

-- AddForeignKey
ALTER TABLE "erasure_members" ADD CONSTRAINT "erasure_members_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "erasure_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Cases that wait for their erasure, in the order in which they are tried.
CREATE INDEX "erasure_members_open" ON "erasure_members"("at") WHERE state <> 'erased';
CREATE INDEX "erasure_members_open_case" ON "erasure_members"("case_id") WHERE state <> 'erased';

-- Events of a case that belong to no run; the others are found by run.
CREATE INDEX "events_of_cases" ON "events"("case_id") WHERE run_id IS NULL;
