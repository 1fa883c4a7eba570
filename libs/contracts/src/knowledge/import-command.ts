/** One option of an import command. */
export interface ImportOption {
  /** Flags, such as `--id <id>`. */
  flags: string;
  description: string;
  /** Allowed values. Default: any. */
  choices?: readonly string[];
}

/** Syntax of `casefile import <name>`, declared by its knowledge base. */
export interface ImportCommand {
  name: string;
  description: string;
  /** Syntax, such as `<file>` or `[file]`, and description of the argument. */
  argument: readonly [syntax: string, description: string];
  options: readonly ImportOption[];
  /** Extensions of the files to read from a folder, in lower case. Undefined: folders cannot be imported. */
  folder?: readonly string[];
  /** Whether an http(s) URL can be imported. */
  address?: true;
  /** Whether the section `feeds` of the settings can fetch a file for it. */
  feed?: true;
  /** Description of the output of `--json`. */
  json: string;
}
