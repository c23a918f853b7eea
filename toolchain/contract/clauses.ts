/** The pages of docs/contract, whose names begin the names of clauses. */
export const AREAS = [
  'relay',
  'refusals',
  'roles',
  'log',
  'workstation',
  'commands',
  'console',
  'documentation',
  'client',
  'limits',
] as const;

const CLAUSE = /^\*\*([a-z]+-\d+)\*\*/gm;
const CITATION = new RegExp(`(?<![\\w./-])(?:${AREAS.join('|')})-\\d+(?![\\w-])`, 'g');

/** The names of the clauses of a page, in their order. */
export function clausesOf(page: string): readonly string[] {
  return [...page.matchAll(CLAUSE)].map(([, name = '']) => name);
}

/** The clauses that a comment cites. */
export function citationsOf(comment: string): readonly string[] {
  return comment.match(CITATION) ?? [];
}

export interface Sources {
  readonly clauses: readonly string[];
  /** The clauses that each file cites, by its path. */
  readonly citations: ReadonlyMap<string, readonly string[]>;
}

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

export function repeatedClauses(clauses: readonly string[]): readonly string[] {
  return clauses.filter((name, index) => clauses.indexOf(name) !== index);
}

export function unknownCitations({ clauses, citations }: Sources): readonly string[] {
  return [...citations].flatMap(([file, cited]) =>
    cited.filter((name) => !clauses.includes(name)).map((name) => `${file} cites ${name}`),
  );
}

/** The clauses that no test cites. */
export function uncoveredClauses({ clauses, citations }: Sources): readonly string[] {
  const covered = [...citations].flatMap(([file, cited]) => (isTest(file) ? cited : []));
  return clauses.filter((name) => !covered.includes(name));
}
