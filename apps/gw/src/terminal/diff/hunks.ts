import type { structuredPatch } from 'diff';

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  /** Line numbers from one; null on the side where the line is not. */
  readonly before: number | null;
  readonly after: number | null;
}
/** Neighbouring lines; between two hunks, unchanged lines are left out. */
export type Hunk = readonly DiffLine[];
export interface FileDiff {
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** Only line ends or the last line end changed, which no line shows. */
  readonly onlyLineEnds: boolean;
}

const CONTEXT = 3;
const KINDS = { ' ': 'context', '+': 'added', '-': 'removed' } as const;
/** A comparison that takes longer gives all lines as removed and added. */
const TIMEOUT_MS = 200;

/** Compares two texts line by line. `before` is null where the file is new. */
export function fileDiff(patch: typeof structuredPatch, before: string | null, after: string): FileDiff {
  const [old, now] = [withPlainEnds(before ?? ''), withPlainEnds(after)];
  const options = { context: CONTEXT, timeout: TIMEOUT_MS };
  const hunks = (patch('', '', old, now, '', '', options)?.hunks ?? [whole(old, now)]).map((hunk) => {
    let [left, right] = [hunk.oldStart, hunk.newStart];
    return hunk.lines.flatMap((text): DiffLine[] => {
      const kind = KINDS[text.charAt(0) as keyof typeof KINDS];
      if (kind === undefined) return []; // "\ No newline at end of file"
      const line = {
        kind,
        text: text.slice(1),
        before: kind === 'added' ? null : left,
        after: kind === 'removed' ? null : right,
      };
      if (kind !== 'added') left += 1;
      if (kind !== 'removed') right += 1;
      return [line];
    });
  });
  const lines = hunks.flat();
  return {
    hunks,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    onlyLineEnds: lines.length === 0 && before !== null && before !== after,
  };
}

function whole(before: string, after: string): { oldStart: number; newStart: number; lines: string[] } {
  const marked = (text: string, mark: string): string[] =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((each) => mark + each);
  return { oldStart: 1, newStart: 1, lines: [...marked(before, '-'), ...marked(after, '+')] };
}

/** With one kind of line ends, and one after the last line: a line without it would be shown as removed and added. */
function withPlainEnds(text: string): string {
  const plain = text.replaceAll('\r\n', '\n');
  return plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`;
}
