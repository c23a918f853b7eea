import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { Fault, Position } from './position.ts';

/** A text of YAML that was read, with the way back from a member to where it is written. */
export interface YamlText {
  /** Its value; undefined if it is not YAML. */
  readonly data: unknown;
  readonly faults: readonly Fault[];
  /** The position of a member's value, or of the nearest existing one. */
  readonly placeOf: (path: readonly PropertyKey[]) => Position;
  /** The position of a member's name. */
  readonly placeOfName: (path: readonly PropertyKey[], name: string) => Position;
  /** Every text among the values, with its position. */
  readonly texts: () => Iterable<Position & { readonly text: string }>;
}

/** References within a text that are followed; more are an attack on the reader's memory. */
const MOST_ALIASES = 100;

/**
 * Reads YAML 1.2 (and so JSON), refusing what readers disagree about: repeated members, tags, several documents.
 * @param lines the number of lines before the text in its file.
 */
export function readYaml(text: string, lines = 0): YamlText {
  const counter = new LineCounter();
  const placeAt = (offset: number): Position => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1) + lines, column: Math.max(col, 1) };
  };
  const whole = (message: string, fix: string): YamlText => ({
    data: undefined,
    faults: [{ line: 1 + lines, column: 1, path: null, message, fix }],
    placeOf: () => placeAt(0),
    placeOfName: () => placeAt(0),
    texts: () => [],
  });
  try {
    // Messages of the library quote the text, so that none of them is shown: its codes are put into our words.
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, logLevel: 'error' });
    const faults = [
      ...[...document.errors, ...document.warnings].map(({ pos, code }) => ({ offset: pos[0], code })),
      ...aliasesToNowhere(document).map((offset) => ({ offset, code: 'BAD_ALIAS' as const })),
    ].map(({ offset, code }) => ({ ...placeAt(offset), path: null, ...sentenceOf(code) }));
    const data: unknown = faults.length > 0 ? undefined : document.toJS({ maxAliasCount: MOST_ALIASES });
    return {
      data,
      faults,
      placeOf: (path) => placeAt(offsetOf(document, path)),
      placeOfName: (path, name) => placeAt(offsetOfName(document, path, name) ?? offsetOf(document, path)),
      texts: () => textsOf(document, placeAt),
    };
  } catch (error) {
    if (error instanceof RangeError) return whole('It is nested too deeply to be read.', 'Make it flatter.');
    if (error instanceof ReferenceError)
      return whole('It refers to its own parts too often to be read.', 'Write what the references (*name) stand for.');
    throw error;
  }
}

/** Messages for the library's error codes, for the author of the text. */
const SENTENCES: Partial<Record<YAMLError['code'], readonly [message: string, fix: string]>> = {
  DUPLICATE_KEY: ['A member is given twice.', 'Keep one of the two.'],
  TAB_AS_INDENT: ['A tab is used as indentation.', 'Indent with spaces.'],
  BAD_INDENT: [
    'A bracket is not closed, or the indentation does not fit.',
    'Close the bracket, or give the members of one object the same indentation.',
  ],
  MULTIPLE_DOCS: ['A second document begins (---).', 'Keep one document in the file.'],
  TAG_RESOLVE_FAILED: ['A tag (!name) is not known.', 'Write the value without a tag.'],
  BAD_ALIAS: ['A reference (*name) has no target.', 'Write what it stands for.'],
  RESOURCE_EXHAUSTION: ['It is nested too deeply to be read.', 'Make it flatter.'],
  BAD_SCALAR_START: ['A value begins with a character that must be quoted.', 'Put the value into quotes.'],
  MISSING_CHAR: ['A closing quote, bracket or comma, or a blank after a colon, is missing.', 'Add it.'],
};

function sentenceOf(code: YAMLError['code']): { readonly message: string; readonly fix: string } {
  const [message, fix] = SENTENCES[code] ?? ['This is not YAML.', 'Look for a missing quote, colon or bracket here.'];
  return { message, fix };
}

/** Offsets of references whose anchor is not there, among the first ones: each is looked for in all of the text. */
function aliasesToNowhere(document: Document): readonly number[] {
  const found: number[] = [];
  let seen = 0;
  visit(document, {
    Alias(_, alias) {
      seen += 1;
      if (seen > MOST_ALIASES) return visit.BREAK;
      if (alias.resolve(document) === undefined) found.push(alias.range?.[0] ?? 0);
      return undefined;
    },
  });
  return found;
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function offsetOfName(document: Document, path: readonly PropertyKey[], name: string): number | undefined {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(map)) return undefined;
  const named = ({ key }: Pair): boolean => isScalar(key) && String(key.value) === name;
  const key = map.items.find(named)?.key;
  return isScalar(key) ? key.range?.[0] : undefined;
}

function textsOf(document: Document, placeAt: (offset: number) => Position): readonly (Position & { text: string })[] {
  const found: (Position & { text: string })[] = [];
  visit(document, {
    Scalar(key, { value, range }) {
      if (key !== 'key' && typeof value === 'string') found.push({ ...placeAt(range?.[0] ?? 0), text: value });
    },
  });
  return found;
}
