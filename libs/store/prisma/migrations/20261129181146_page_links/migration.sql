-- CreateTable
CREATE TABLE "page_links" (
    "token_hash" TEXT NOT NULL,
    "delivery_id" UUID NOT NULL,
    "destination" TEXT NOT NULL,
    "case_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "severity" TEXT NOT NULL,
    "sent_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "page_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "page_links_delivery_id_idx" ON "page_links"("delivery_id");

-- CreateIndex
CREATE INDEX "page_links_expires_at_idx" ON "page_links"("expires_at");
