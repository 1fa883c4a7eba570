/** A section of the documentation that contains the searched words. */
export interface FoundSection {
  /** File of the page, from the folder `docs`, such as `operate/health.md`. */
  file: string;
  /** First heading of the page. */
  title: string;
  /** Heading of the section, as Markdown. null: the section is the beginning of the page. */
  heading: string | null;
  /** Text of the section around the first searched word, at most 200 characters. */
  excerpt: string;
}
