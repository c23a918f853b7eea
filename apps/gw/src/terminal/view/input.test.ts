import { describe, expect, it } from 'vitest';
import { editorOf } from '../input/editor.ts';
import { initialState, type UiState } from '../state/state.ts';
import { type Line, plainText } from '../text/line.ts';
import { inputView } from './input.ts';

const shown = (lines: readonly Line[]): string => lines.map((each) => plainText(each).trimEnd()).join('\n');
const stateWith = (change: Partial<UiState>): UiState => ({ ...initialState(), model: 'Model', ...change });

describe('the input', () => {
  it('shows the part around the cursor of a long message, and how much is hidden', () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
    const { lines, cursor } = inputView(stateWith({ editor: editorOf(text) }), 40, 5);
    expect(shown(lines)).toBe('  line 15\n  line 16\n  line 17\n  line 18\n  line 19\n  … 15 more lines');
    expect(cursor).toEqual({ row: 4, column: 9 });
  });

  it('counts the columns of wide characters for the cursor', () => {
    expect(inputView(stateWith({ editor: editorOf('日本') }), 40, 5).cursor).toEqual({ row: 0, column: 6 });
    const { lines, cursor } = inputView(stateWith({ editor: editorOf('日本語日本語') }), 12, 5);
    expect(shown(lines)).toBe('> 日本語日本\n  語');
    expect(cursor).toEqual({ row: 1, column: 4 });
  });

  it('is a command of the user in another colour', () => {
    const colored = (text: string): unknown =>
      inputView(stateWith({ editor: editorOf(text) }), 40, 5).lines[0]?.at(-1)?.style.color;
    expect([colored('!ls'), colored('ls!')]).toEqual(['magenta', undefined]);
  });

  it('says what is edited, and which question is answered', () => {
    const argumentEdit = {
      label: 'the command',
      draft: editorOf(''),
      apply: () => null,
    } as unknown as UiState['argumentEdit'];
    expect(shown(inputView(stateWith({ argumentEdit }), 80, 5).lines)).toMatch(
      /^Edit the command\. Enter approves the edited call/,
    );
    const questions = [{ id: 'q', question: 'Which\none?', options: [], selected: 0 }];
    expect(shown(inputView(stateWith({ questions }), 20, 5).lines).split('\n')[0]).toBe('Your answer to: Whi…');
  });
});
