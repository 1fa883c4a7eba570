/** One option of an import command. */
export interface ImportOption {
  /** As in `--id <id>`. */
  flags: string;
  description: string;
  /** What it may be; absent: anything. */
  choices?: readonly string[];
}

/** How `casefile import <name>` is written: declared by the knowledge base that it imports into. */
export interface ImportCommand {
  name: string;
  description: string;
  /** As in `<file>` or `[file]`, and what it is. */
  argument: readonly [syntax: string, description: string];
  options: readonly ImportOption[];
  /** Endings of the files that are taken from a folder, in lower case; absent: a folder cannot be imported. */
  folder?: readonly string[];
  /** Can an http(s) address be imported? */
  address?: true;
  /** What `--json` prints. */
  json: string;
}
