/** How many choices are drawn at once, and from how many on one may type to find one. */
const DRAWN = 100;
const FOUND_BY_EYE = 12;

/** A choice as the library's `Select` takes it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Properties of `Select`. A long list is filtered by typing, and only the first hundred matches are drawn. */
export function many(choices: readonly Choice[]) {
  return {
    data: [...choices],
    searchable: choices.length > FOUND_BY_EYE,
    limit: DRAWN,
    nothingFoundMessage: 'Nothing matches',
  };
}
