import { parseSync } from 'oxc-parser';
import type { Text } from './text.ts';

interface Piece {
  readonly start: number;
  readonly text: string;
}

function located(source: string, pieces: readonly Piece[]): readonly Text[] {
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
  return located(source, comments);
}
