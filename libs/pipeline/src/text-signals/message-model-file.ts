/** A linear model in the form of its file, which `npm run train:messages` writes. */
export interface MessageModelData {
  /** SHA-256 of each file that it was trained on. */
  trainedOn: Record<string, string>;
  /** Value of one step of a weight. */
  step: number;
  bias: number;
  /** Weights as a signed byte per bucket, in base64. */
  weights: string;
}
