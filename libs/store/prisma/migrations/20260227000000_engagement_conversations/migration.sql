-- AlterTable
ALTER TABLE "engagement_sessions" ADD COLUMN     "closed_at" TIMESTAMPTZ(6),
ADD COLUMN     "conversation" TEXT,
ADD COLUMN     "session_id" UUID;

-- CreateIndex
CREATE INDEX "engagement_sessions_created_at_id_idx" ON "engagement_sessions"("created_at", "id");

-- CreateIndex
CREATE INDEX "engagement_sessions_session_id_created_at_id_idx" ON "engagement_sessions"("session_id", "created_at", "id");
