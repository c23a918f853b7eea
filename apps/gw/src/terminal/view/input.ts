import { layOut } from '../input/layout.ts';
import type { Cursor } from '../screen/paint.ts';
import type { Suggestions, UiState } from '../state/state.ts';
import { type Line, line, type Style, span, truncate } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';

export interface InputView {
  readonly lines: readonly Line[];
  readonly cursor: Cursor;
}
const PROMPT = '> ';
const MOST_SUGGESTIONS = 6;

/** The editor with its prompt, and what completes the word at the cursor below it. */
export function inputView(state: UiState, columns: number, height: number): InputView {
  const { editor, argumentEdit } = state;
  const layout = layOut(editor, columns - PROMPT.length, height);
  const style: Style = editor.text.startsWith('!') && argumentEdit === null ? { color: 'magenta' } : {};
  const heading = headingOf(state);
  const rows = layout.rows.map(
    (row, index): Line => [
      span(index === 0 && layout.above === 0 ? PROMPT : '  ', { bold: true, color: 'cyan' }),
      span(row, style),
    ],
  );
  const hidden = layout.above + layout.below;
  const more = hidden > 0 ? [line(`  … ${hidden} more lines`, { dim: true })] : [];
  return {
    lines: [
      ...heading.map((each) => truncate(each, columns)),
      ...rows,
      ...more,
      ...suggestionLines(state.suggestions, columns),
    ],
    cursor: { row: heading.length + layout.row, column: PROMPT.length + layout.column },
  };
}

function headingOf({ argumentEdit, denial, search, questions: [question] }: UiState): Line[] {
  if (denial !== null)
    return [
      line('Why not? Enter denies, Esc goes back.', { bold: true }),
      line('The model gets your reason, if any.', { dim: true }),
    ];
  if (search !== null)
    return [line(`Search: ${safeLine(search.query)}▏ Ctrl-R: older, Enter takes it, Esc goes back.`, { bold: true })];
  if (argumentEdit !== null)
    return [line(`Edit ${argumentEdit.label}. Enter approves the edited call, Esc goes back.`, { bold: true })];
  if (question !== undefined) return [line(`Your answer to: ${safeLine(question.question)}`, { bold: true })];
  return [];
}

function suggestionLines(suggestions: Suggestions | null, columns: number): Line[] {
  if (suggestions === null) return [];
  const { items, selected } = suggestions;
  const from = Math.max(0, Math.min(selected - MOST_SUGGESTIONS + 1, items.length - MOST_SUGGESTIONS));
  return items.slice(from, from + MOST_SUGGESTIONS).map(({ value, note }, index) => {
    const chosen = from + index === selected;
    const name = span(`${chosen ? '›' : ' '} ${safeLine(value)}`, chosen ? { bold: true, color: 'cyan' } : {});
    return truncate([name, span(note === '' ? '' : `  ${note}`, { dim: true })], columns);
  });
}
