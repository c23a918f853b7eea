import { ScimFault } from './answers.ts';
import type { Members } from './user.ts';

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
type Operator = (typeof OPERATORS)[number];
type Literal = string | number | boolean | null;

/** A filter of RFC 7644 section 3.4.2.2. */
export type Filter =
  | { readonly kind: 'compare'; readonly path: string; readonly operator: Operator; readonly value: Literal }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'element'; readonly path: string; readonly filter: Filter }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'and' | 'or'; readonly one: Filter; readonly other: Filter };

/** A filter nests no deeper: what reads it by recursion must not run out of stack. */
const MOST_LEVELS = 50;
const LONGEST_FILTER = 4000;

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;

/** Parses a filter. @throws ScimFault invalidFilter, with the part that is invalid */
export function parseFilter(text: string): Filter {
  if (text.length > LONGEST_FILTER) throw fault(`must have at most ${LONGEST_FILTER} characters`);
  const reader = new Reader(tokensOf(text));
  const filter = reader.either(0);
  if (reader.next !== undefined) throw fault(`has "${reader.next}" where it should end`);
  return filter;
}

function fault(why: string): ScimFault {
  return new ScimFault(400, `The filter ${why}.`, 'invalidFilter');
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const trimmed = text.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(trimmed);
    if (found === null) throw fault(`cannot be read at character ${at + 1}`);
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;
  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  #take(): string {
    const token = this.next;
    if (token === undefined) throw fault('ends too early');
    this.#at += 1;
    return token;
  }

  #takes(word: string): boolean {
    if (this.next?.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  /** `or` binds weaker than `and`, and `and` weaker than `not`. */
  either(depth: number): Filter {
    if (depth > MOST_LEVELS) throw fault(`nests deeper than ${MOST_LEVELS} levels`);
    let one = this.#both(depth);
    while (this.#takes('or')) one = { kind: 'or', one, other: this.#both(depth) };
    return one;
  }

  #both(depth: number): Filter {
    let one = this.#single(depth);
    while (this.#takes('and')) one = { kind: 'and', one, other: this.#single(depth) };
    return one;
  }

  #single(depth: number): Filter {
    if (this.#takes('not')) {
      if (!this.#takes('(')) throw fault('has no "(" after "not"');
      return { kind: 'not', filter: this.#enclosed(')', depth) };
    }
    if (this.#takes('(')) return this.#enclosed(')', depth);
    const path = this.#take();
    if (!/^[A-Za-z][\w.:$-]*$/.test(path)) throw fault(`has "${path}" where an attribute should be`);
    if (this.#takes('[')) return this.#element(path, this.#enclosed(']', depth));
    return this.#compared(path);
  }

  /** `emails[type eq "work"].value eq "…"`, as Entra ID asks: both parts hold for one element. */
  #element(path: string, filter: Filter): Filter {
    const part = /^\.([A-Za-z][\w$-]*)$/.exec(this.next ?? '')?.[1];
    if (part === undefined) return { kind: 'element', path, filter };
    this.#at += 1;
    return { kind: 'element', path, filter: { kind: 'and', one: filter, other: this.#compared(part) } };
  }

  #compared(path: string): Filter {
    const operator = this.#take().toLowerCase();
    if (operator === 'pr') return { kind: 'present', path };
    if (!isOperator(operator)) throw fault(`has "${operator}" where an operator should be`);
    return { kind: 'compare', path, operator, value: literalOf(this.#take()) };
  }

  #enclosed(end: string, depth: number): Filter {
    const filter = this.either(depth + 1);
    if (!this.#takes(end)) throw fault(`lacks a "${end}"`);
    return filter;
  }
}

const isOperator = (word: string): word is Operator => (OPERATORS as readonly string[]).includes(word);

function literalOf(token: string): Literal {
  try {
    // Identity providers write True and False too.
    const value: unknown = JSON.parse(/^(true|false|null)$/i.test(token) ? token.toLowerCase() : token);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Literal;
  } catch {
    // Said below.
  }
  throw fault(`has ${token} where a value should be`);
}

/** Attributes whose case counts (RFC 7643, section 3.1 and 7). */
const CASE_EXACT: ReadonlySet<string> = new Set(['id', 'externalid', 'meta.location', 'meta.resourcetype']);

/** Whether a resource matches. Attribute names are compared without regard to case. */
export function matches(filter: Filter, resource: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return matches(filter.one, resource) && matches(filter.other, resource);
    case 'or':
      return matches(filter.one, resource) || matches(filter.other, resource);
    case 'not':
      return !matches(filter.filter, resource);
    case 'element':
      return valuesAt(resource, filter.path).some((element) => matches(filter.filter, element));
    case 'present':
      return valuesAt(resource, filter.path).some((value) => value !== '');
    default: {
      const isExact = CASE_EXACT.has(withoutSchema(filter.path).toLowerCase());
      const values = valuesAt(resource, filter.path);
      if (filter.operator === 'ne') return !values.some((value) => compares(value, 'eq', filter.value, isExact));
      if (filter.value === null) return filter.operator === 'eq' && values.length === 0;
      return values.some((value) => compares(value, filter.operator, filter.value, isExact));
    }
  }
}

/** Removes the URN of the schema from the beginning of a path. */
export function withoutSchema(path: string): string {
  return /^urn:/i.test(path) ? path.slice(path.lastIndexOf(':') + 1) : path;
}

/** Every value under a path; of a list, those of its elements. A multi-valued complex attribute denotes its `value`. */
function valuesAt(resource: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [resource];
  for (const name of withoutSchema(path).split('.')) values = values.flatMap((value) => memberOf(value, name));
  return values;
}

function memberOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] as unknown;
  if (found === undefined || found === null) return [];
  return Array.isArray(found) ? found : [found];
}

function compares(given: unknown, operator: Operator, wanted: Literal, isExact: boolean): boolean {
  const plain = typeof given === 'object' && given !== null && 'value' in given ? given.value : given;
  if (typeof plain === 'string' && typeof wanted === 'string') {
    const [one, other] = isExact ? [plain, wanted] : [plain.toLowerCase(), wanted.toLowerCase()];
    if (operator === 'co') return one.includes(other);
    if (operator === 'sw') return one.startsWith(other);
    if (operator === 'ew') return one.endsWith(other);
    return meetsOperator(one < other ? -1 : Number(one > other), operator);
  }
  if (typeof plain === 'number' && typeof wanted === 'number') return meetsOperator(plain - wanted, operator);
  return operator === 'eq' && plain === wanted;
}

function meetsOperator(difference: number, operator: Operator): boolean {
  if (operator === 'eq') return difference === 0;
  if (operator === 'gt') return difference > 0;
  if (operator === 'ge') return difference >= 0;
  if (operator === 'lt') return difference < 0;
  return operator === 'le' && difference <= 0;
}

/** What every answer contains, regardless of the requested attributes (RFC 7644, section 3.9). */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

/** A resource with the attributes that a query asks for (`attributes`) or without those it leaves out (`excludedAttributes`). */
export function project(resource: Members, query: URLSearchParams): Members {
  const [wanted, unwanted] = [namesOf(query.get('attributes')), namesOf(query.get('excludedAttributes'))];
  if (wanted.length > 0) return select(resource, (path) => isNamed(wanted, path), ALWAYS);
  if (unwanted.length > 0) return select(resource, (path) => !unwanted.includes(path), ALWAYS);
  return resource;
}

function namesOf(list: string | null): readonly string[] {
  const names = (list ?? '').split(',').map((name) => withoutSchema(name.trim()).toLowerCase());
  return names.filter((name) => name !== '');
}

/** Whether an attribute, one of its parts, or the attribute it belongs to is named. */
function isNamed(names: readonly string[], path: string): boolean {
  return names.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
}

function select(
  members: Members,
  isWanted: (path: string) => boolean,
  always: ReadonlySet<string>,
  below = '',
): Members {
  const kept = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const path = `${below}${name.toLowerCase()}`;
    if (always.has(name)) return [[name, value]];
    return isWanted(path) ? [[name, partsOf(value, isWanted, path)]] : [];
  });
  return Object.fromEntries(kept);
}

function partsOf(value: unknown, isWanted: (path: string) => boolean, path: string): unknown {
  const parts = (one: unknown): unknown =>
    typeof one === 'object' && one !== null ? select(one as Members, isWanted, new Set(), `${path}.`) : one;
  return Array.isArray(value) ? value.map(parts) : parts(value);
}
