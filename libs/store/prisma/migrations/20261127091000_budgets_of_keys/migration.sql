-- Alerts of one key: the daily budget of a key counts what their runs cost.
CREATE INDEX "events_of_senders" ON "events"((data ->> 'sender'), "at") WHERE type = 'alert.accepted' AND data ->> 'sender' IS NOT NULL;
