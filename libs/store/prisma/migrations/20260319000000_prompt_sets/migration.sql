-- Texts of prompts, each once, and which of them an installation had together.
CREATE TABLE "prompt_texts" (
    "sha256" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompt_texts_pkey" PRIMARY KEY ("id", "sha256")
);

CREATE TABLE "prompt_sets" (
    "id" TEXT NOT NULL,
    "prompts" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompt_sets_pkey" PRIMARY KEY ("id")
);
