import { parseSync } from 'oxc-parser';
import type { Text } from './text.ts';

/** Comments and the texts of strings, whose positions the parser gives. */
interface Piece {
  readonly start: number;
  readonly text: string;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function textOfNode(node: Readonly<Record<string, unknown>>): string | null {
  if (node['type'] === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node['type'] === 'JSXText' && typeof node['value'] === 'string') return node['value'];
  if (node['type'] === 'TemplateElement' && isRecord(node['value'])) return String(node['value']['cooked']);
  return null;
}

function stringsOf(value: unknown): readonly Piece[] {
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (!isRecord(value)) return [];
  const text = textOfNode(value);
  if (text !== null) return [{ start: Number(value['start']), text }];
  return Object.values(value).flatMap(stringsOf);
}

function locate(source: string, pieces: readonly Piece[]): readonly Text[] {
  return pieces.map(({ start, text }) => ({ line: source.slice(0, start).split('\n').length, text }));
}

export function commentsOfCode(file: string, source: string): readonly Text[] {
  if (file.endsWith('.sql')) {
    return source.split('\n').flatMap((line, index) => {
      const comment = /--(.*)$/.exec(line)?.[1];
      return comment === undefined ? [] : [{ line: index + 1, text: comment }];
    });
  }
  const comments = parseSync(file, source).comments.map(({ start, value }) => ({ start, text: value }));
  return locate(source, comments);
}

/** Strings of more than one word: sentences and parts of sentences, not identifiers. */
export function messagesOfCode(file: string, source: string): readonly Text[] {
  if (file.endsWith('.sql')) return [];
  const strings = stringsOf(parseSync(file, source).program).filter(({ text }) => /\S\s+\S/.test(text));
  return locate(source, strings);
}
