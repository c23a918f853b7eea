/** One section of the manual that the box links to. */
export interface Hit {
  /** Path on this gateway, with the heading's fragment. */
  readonly href: string;
  /** Page, and its heading where one is meant. */
  readonly titles: readonly string[];
  /** The passage in plain words; empty where none is shown. */
  readonly excerpt: string;
}

/** The line below the box. */
export interface Answer {
  readonly hits: readonly Hit[];
  /** A sentence above the hits, or instead of them; empty if none is needed. */
  readonly note: string;
}
