const MAX_SPANS = 5;

/** Spans that speak to a language model rather than to a reader. Every repeat is bounded. */
const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|all|your|system)\b[^.\n]{0,20}\b(?:instructions?|rules?|prompts?|directions?|context)\b/gi,
  /\byou are (?:now|no longer)\b[^.\n]{0,40}\b(?:ai|assistant|model|analyst|bot|dan)\b/gi,
  /\b(?:system|developer) (?:prompt|message|instructions?)\b/gi,
  /<\|?(?:im_start|im_end|system|assistant|endoftext)\|?>|\[\/?INST\]|<<SYS>>/gi,
  /\b(?:answer|respond|reply|output|return)\b[^.\n]{0,30}(?:\brisk ?level\b|"riskLevel"|\bconfidence\b|\bjson\b)/gi,
  /\b(?:classify|mark|rate|label|treat) this\b[^.\n]{0,30}\b(?:safe|low|harmless|legitimate|benign)\b/gi,
];

/** Notes on what reads like an instruction to the model: a sign of deceit that people and model should see. */
export function instructionNotes(text: string): string[] {
  const spans = PATTERNS.flatMap((pattern) => firstOf(text, pattern));
  return [...new Set(spans)]
    .slice(0, MAX_SPANS)
    .map((span) => `A span reads like an instruction to a language model: "${span.slice(0, 120)}"`);
}

function firstOf(text: string, pattern: RegExp): string[] {
  const found: string[] = [];
  for (const [span] of text.matchAll(pattern)) {
    found.push(span.replace(/\s+/g, ' '));
    if (found.length >= MAX_SPANS) break;
  }
  return found;
}
