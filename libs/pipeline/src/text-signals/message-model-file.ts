/** A linear model as its file holds it; `npm run train:messages` makes it. */
export interface MessageModelData {
  /** SHA-256 of each file that it was trained on. */
  trainedOn: Record<string, string>;
  /** What a step of a weight is worth. */
  step: number;
  bias: number;
  /** A signed byte for each bucket, in base64. */
  weights: string;
}
