/** Output of a command: results go to `out`, messages about them to `err`. */
export interface Output {
  out(line: string): void;
  err(line: string): void;
}
