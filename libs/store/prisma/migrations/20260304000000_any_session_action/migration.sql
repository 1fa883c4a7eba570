-- What a verdict opens a session to do is a word of its playbook, and any playbook may open one.
ALTER TABLE "engagement_sessions" DROP CONSTRAINT "engagement_sessions_action";
