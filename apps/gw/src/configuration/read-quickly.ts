import type { ReadConfiguration } from './configuration.ts';
import type { Position } from './position.ts';
import { referencesIn } from './reference.ts';
import { configurationShape, isEndpointName } from './shape.ts';

/** The value of a text of plain YAML, and its scalar texts with their positions. */
interface PlainYaml {
  readonly data: unknown;
  readonly texts: readonly (Position & { readonly text: string })[];
}

interface Line {
  readonly number: number;
  /** Blanks before the content. */
  indent: number;
  content: string;
}

/** The text is no plain YAML: the library reads it. */
const OTHER = Symbol('other');

const KEY = /^([A-Za-z][\w-]*):(?: +(\S.*))?$/;
/** Words that mean no text, as values and as keys. */
const WORDS = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/**
 * Reads the small part of YAML that most configurations consist of: block mappings and sequences of plain or quoted scalars, in
 * ASCII. Null for anything else, which the library then reads: loading it would take a tenth of the start of `gw -p`.
 */
export function readPlainYaml(text: string): PlainYaml | null {
  if (!/^[\n\x20-\x7e]*$/.test(text)) return null;
  const lines = text.split('\n').flatMap((line, at): Line[] => {
    const content = line.trim();
    return content === '' || content.startsWith('#')
      ? []
      : [{ number: at + 1, indent: line.length - line.trimStart().length, content }];
  });
  if (lines.length === 0) return null;
  const texts: (Position & { text: string })[] = [];
  const reader = { lines, at: 0, texts };
  try {
    const data = block(reader, 0);
    return reader.at === lines.length ? { data, texts } : null;
  } catch (error) {
    if (error === OTHER) return null;
    throw error;
  }
}

interface Reader {
  readonly lines: readonly Line[];
  at: number;
  readonly texts: (Position & { text: string })[];
}

function block(reader: Reader, least: number): unknown {
  const first = reader.lines[reader.at];
  if (first === undefined || first.indent < least) throw OTHER;
  return first.content.startsWith('- ') ? sequence(reader, first.indent) : mapping(reader, first.indent);
}

function sequence(reader: Reader, indent: number): readonly unknown[] {
  const items: unknown[] = [];
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    const item = /^- +(.+)$/.exec(line.content)?.[1];
    if (item === undefined) break;
    if (KEY.test(item) || item.startsWith('- ')) {
      // The text after the hyphen is the first line of a block.
      line.indent += line.content.length - item.length;
      line.content = item;
      items.push(block(reader, indent + 1));
    } else {
      reader.at += 1;
      items.push(scalar(reader, item, line.number, line.indent + line.content.length - item.length));
    }
  }
  return items;
}

function mapping(reader: Reader, indent: number): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    const [, key, value] = KEY.exec(line.content) ?? [];
    if (key === undefined || WORDS.test(key) || Object.hasOwn(members, key)) throw OTHER;
    reader.at += 1;
    members[key] =
      value === undefined
        ? readNested(reader, indent)
        : scalar(reader, value, line.number, line.indent + line.content.length - value.length);
  }
  const next = reader.lines[reader.at];
  // A deeper line continues a scalar, or is wrong.
  if (next !== undefined && next.indent > indent) throw OTHER;
  return members;
}

/** The value below a key: an indented block, or a sequence in the column of the key. */
function readNested(reader: Reader, indent: number): unknown {
  const next = reader.lines[reader.at];
  const isSequence = next?.indent === indent && next.content.startsWith('- ');
  return isSequence ? sequence(reader, indent) : block(reader, indent + 1);
}

function scalar(reader: Reader, written: string, line: number, column: number): unknown {
  const next = reader.lines[reader.at];
  const value = valueOf(written);
  // Whether the next line continues this one depends on its indentation: it never does if it is not deeper.
  if (next !== undefined && !/^- |^[A-Za-z][\w-]*:(?: |$)/.test(next.content)) throw OTHER;
  if (typeof value === 'string') reader.texts.push({ line, column: column + 1, text: value });
  return value;
}

function valueOf(written: string): unknown {
  const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(written);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  if (written === 'true' || written === 'false') return written === 'true';
  if (/^(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(written)) return Number(written);
  const isPlain = /^(?:[A-Za-z/$]|\d+\.\d+\.\d)/.test(written) && !/ #|:(?: |$)/.test(written);
  if (!isPlain || WORDS.test(written)) throw OTHER;
  return written;
}

export type QuicklyRead = Pick<ReadConfiguration, 'value' | 'faults' | 'references'>;

/** As `readConfiguration`, which is loaded only where the text is no plain YAML or something in it is wrong. */
export async function readQuickly(text: string, hasGateway: boolean): Promise<QuicklyRead> {
  return (
    plainConfiguration(text, hasGateway) ?? (await import('./configuration.ts')).readConfiguration(text, hasGateway)
  );
}

function plainConfiguration(text: string, hasGateway: boolean): QuicklyRead | null {
  const plain = readPlainYaml(text);
  const value = plain === null ? null : configurationShape.valueOf(plain.data);
  if (plain === null || value === null) return null;
  const isNameless = !hasGateway && value.gateway === undefined;
  if (isNameless && value.models?.some(({ endpoint }) => endpoint !== undefined && isEndpointName(endpoint)) === true)
    return null;
  const found = plain.texts.map(referencesIn);
  return found.some(({ faults }) => faults.length > 0)
    ? null
    : { value, faults: [], references: found.flatMap(({ references }) => references) };
}
