-- Nothing has written or read this table since the evidence artifact holds its items.
DROP TABLE "evidence_items";
