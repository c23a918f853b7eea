import { describeScope } from '../../agent/approval-words.ts';
import type { Size } from '../device/ports.ts';
import type { Cursor, LiveView } from '../device/screen.ts';
import {
  BLANK,
  graphemesOf,
  graphemeWidth,
  type Line,
  line,
  lineWidth,
  type Style,
  span,
  truncate,
  widthOf,
} from '../text/line.ts';
import { editableText, explicitText, safeLine, safeText } from '../text/safe.ts';
import { wrapCharacters, wrapWords } from '../text/wrap.ts';
import { activityLines } from './activity.ts';
import type { Editor } from './editor.ts';
import type { PendingApproval, PendingQuestion, Picker, Suggestions, UiState } from './state.ts';
import { statusLine } from './status.ts';
import { checklistLines, transcriptView } from './transcript.ts';

/** Rows below which a window is low. */
const LOW = 16;

export interface FrameOptions extends Size {
  readonly now: number;
  readonly screenReader: boolean;
}

/**
 * The live part, from the answer that is being written down to the status line. It is lower than the window and
 * narrower by one column, so that nothing wraps and nothing scrolls. What is above the input gives way first.
 */
export function frame(state: UiState, answer: readonly Line[], options: FrameOptions): LiveView {
  const columns = Math.max(10, options.columns - 1);
  const height = Math.max(3, options.rows - 1);
  if (state.transcript !== null && !options.screenReader) return transcriptView(state.transcript, columns, height);
  const dialog = dialogLines(state, columns, height, options.screenReader);
  const input =
    state.picker === null && dialog === null ? inputView(state, columns, Math.max(1, Math.floor(height / 3))) : null;
  const below = [...(dialog ?? input?.lines ?? [])];
  const status = options.screenReader ? [] : [statusLine(state, columns)];
  const reserved = below.length + status.length;
  const above = options.screenReader
    ? []
    : fitSections(
        [
          answer.flatMap((each) => wrapCharacters(each, columns)),
          activityLines(state, columns, options.now),
          checklistLines(state.activity === null ? [] : state.checklist, columns),
          queueLines(state.queue, columns, state.steering),
        ],
        height - reserved - 2,
      );
  const apart = above.length > 0 && height > reserved + 2 ? [...above, BLANK] : above;
  // A blank line sets the live part off from what is finished; the answer begins with its own.
  const first = answer.length > 0 || options.screenReader ? [] : [BLANK];
  const lines = [...first, ...apart, ...below, ...status].slice(-height);
  const cursor =
    input === null ? null : { row: lines.length - reserved + input.cursor.row, column: input.cursor.column };
  return { lines, cursor };
}

function dialogLines(state: UiState, columns: number, height: number, screenReader: boolean): Line[] | null {
  const [approval] = state.approvals;
  const [question] = state.questions;
  if (state.argumentEdit !== null || state.denial !== null) return null;
  // For a screen reader, the question was already printed in words.
  if (approval !== undefined)
    return screenReader
      ? [
          truncate(
            line(
              (approval.more ?? []).length > 0
                ? 'y, o or n:'
                : approval.chosen === undefined
                  ? 'y, a, p, n or e:'
                  : `${explicitText(approval.chosen.join(', '))}: a or p:`,
            ),
            columns,
          ),
        ]
      : approvalLines(approval, columns, { isOnly: state.approvals.length === 1, isLow: height < LOW });
  if (question !== undefined && question.selected < question.options.length) return questionLines(question, columns);
  return state.picker === null ? null : pickerLines(state.picker, columns, Math.max(3, height - 6));
}

/** The sections that fit, the last of them first; of the first that does not fit, its end. */
function fitSections(sections: readonly (readonly Line[])[], room: number): Line[] {
  let left = Math.max(0, room);
  let lines: Line[] = [];
  for (const section of sections.toReversed()) {
    if (section.length === 0 || left === 0) continue;
    const apart = lines.length > 0 && left > section.length ? [BLANK] : [];
    const kept = section.slice(-(left - apart.length));
    lines = [...kept, ...apart, ...lines];
    left -= kept.length + apart.length;
  }
  return lines;
}

/** A list to choose from, around the chosen item. */
export function pickerLines({ title, items, selected }: Picker, columns: number, height: number): Line[] {
  const from = Math.max(0, Math.min(selected - Math.floor(height / 2), items.length - height));
  const rows = items.slice(from, from + height).map((item, index): Line => {
    const chosen = from + index === selected;
    return [span(`${chosen ? '› ' : '  '}${safeLine(item)}`, chosen ? { bold: true, color: 'cyan' } : {})];
  });
  const keys = line(`↑ ↓ choose, Enter selects, Esc closes (${selected + 1} of ${items.length})`, { dim: true });
  return [line(safeLine(title), { bold: true }), ...rows, keys].map((each) => truncate(each, columns));
}

/** Messages that wait for the end of the turn. */
function queueLines(queue: readonly string[], columns: number, steering: readonly string[] = []): Line[] {
  if (queue.length + steering.length === 0) return [];
  return [
    ...steering.map((message) => line(`↪ ${safeLine(message)}`, { dim: true })),
    ...(steering.length === 0
      ? []
      : [line('  goes to the model with the next results; ↑ edits the last', { dim: true })]),
    ...(queue.length === 0 ? [] : queued(queue)),
  ].map((each) => truncate(each, columns));
}

function queued(queue: readonly string[]): Line[] {
  return [
    ...queue.map((message) => line(`⏎ ${safeLine(message)}`, { dim: true })),
    line('  queued; ↑ edits the last', { dim: true }),
  ];
}

/** A question with its options; of the model, the last is an answer in one's own words. */
export function questionLines({ question, options, selected, settle }: PendingQuestion, columns: number): Line[] {
  const rows = [...options.map(safeLine), ...(settle === undefined ? ['Another answer'] : [])].map(
    (option, index): Line => {
      const chosen = index === selected;
      return [span(`${chosen ? '› ' : '  '}${index + 1}. ${option}`, chosen ? { bold: true, color: 'cyan' } : {})];
    },
  );
  return [
    ...safeText(question)
      .split('\n')
      .flatMap((each, at) => {
        const first = at === 0 ? span('? ', { color: 'yellow', bold: true }) : span('  ');
        return wrapWords([span(each, { bold: true })], columns, { first: [first], rest: [span('  ')] });
      }),
    ...rows.map((row) => truncate(row, columns)),
    truncate(line('  ↑ ↓ or a number, Enter answers, Esc declines', { dim: true }), columns),
  ];
}

interface InputView {
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

interface EditorLayout {
  readonly rows: readonly string[];
  /** Of the cursor, within `rows`. Behind a full row, `column` is the number of columns. */
  readonly row: number;
  readonly column: number;
  /** Rows that are above and below what is shown. */
  readonly above: number;
  readonly below: number;
}

/** Breaks the text into rows and finds the cursor. A tab is shown as one blank, a control character as one sign. Of more than `height` rows, those around the cursor are given. */
export function layOut(
  { text, cursor }: Pick<Editor, 'text' | 'cursor'>,
  columns: number,
  height: number,
): EditorLayout {
  const rows: string[] = [];
  let position = 0;
  let at = { row: 0, column: 0 };
  for (const part of text.replaceAll('\t', ' ').split('\n')) {
    let row = '';
    let width = 0;
    if (position === cursor) at = { row: rows.length, column: 0 };
    for (const grapheme of graphemesOf(part)) {
      const sign = editableText(grapheme);
      const needs = sign === grapheme ? graphemeWidth(grapheme) : widthOf(sign);
      if (width + needs > columns && width > 0) {
        rows.push(row);
        if (position === cursor) at = { row: rows.length, column: 0 };
        row = '';
        width = 0;
      }
      row += sign;
      width += needs;
      position += grapheme.length;
      if (position === cursor) at = { row: rows.length, column: width };
    }
    rows.push(row);
    position += 1; // the line end
  }
  const from = Math.max(0, Math.min(at.row - Math.floor(height / 2), rows.length - height));
  const shown = rows.slice(from, from + height);
  return { rows: shown, row: at.row - from, column: at.column, above: from, below: rows.length - from - shown.length };
}

/** The question below the preview, which is on the scrollback already. */
export function approvalLines(
  approval: PendingApproval,
  columns: number,
  { isOnly = true, isLow = false }: { readonly isOnly?: boolean; readonly isLow?: boolean } = {},
): Line[] {
  const { tool, target, reason, subAgent, preview, more = [] } = approval;
  const [first = '', ...lines] = explicitText(target).split('\n');
  // The command or the change stands right above; of a sub-agent, other calls may stand between.
  const isSame = preview?.kind === 'diff' || (preview?.kind === 'command' && preview.command === target);
  const isShown = isSame && subAgent === null && isOnly;
  // The tool of a server is its own target.
  const named = target === tool ? '' : ` ${first}${lines.length > 0 ? ` … (${lines.length + 1} lines)` : ''}`;
  const of = approval.task === undefined ? '' : `: ${explicitText(approval.task)}`;
  const who = subAgent === null ? '' : ` (asked by a sub-agent${of})`;
  const question: Line = [
    span('? ', { color: 'yellow', bold: true }),
    span(`Allow ${tool}`, { bold: true }),
    span(isShown ? ' as shown above' : named, { bold: true }),
    span(`?${who}`, { bold: true }),
  ];
  // Without a rule about it, the question says it all.
  const isPlain = reason === `${tool} needs an approval.`;
  const why: Line = [span(explicitText(reason).replaceAll('\n', ' '), { dim: true })];
  const indented = { rest: [span('  ')] };
  const asked =
    more.length === 0 ? wrapWords(question, columns, indented).slice(0, 4) : togetherLines(approval, columns, isLow);
  return [
    ...asked,
    ...(reason === '' || isPlain ? [] : wrapWords(why, columns, { first: [span('  ')], ...indented }).slice(0, 3)),
    ...choiceLines(choices(approval, isLow), columns),
  ];
}

const TOGETHER = [
  ['y', 'yes, all'],
  ['o', 'one by one'],
  ['n', 'no'],
  ['Esc', 'stop'],
];

/** Calls of one answer, which stand above with what they do. They are listed where some may have scrolled away. */
const MOST_LISTED = 6;
function togetherLines({ tool, target, preview, more = [] }: PendingApproval, columns: number, isLow: boolean): Line[] {
  const calls = [{ tool, target, preview }, ...more];
  const question = span('? ', { color: 'yellow', bold: true });
  if (!isLow && calls.length <= MOST_LISTED && calls.every((each) => each.preview?.kind === 'command'))
    return [[question, span(`Allow these ${calls.length} calls as shown above?`, { bold: true })]];
  const left = calls.length - MOST_LISTED;
  const row = (each: (typeof calls)[number]): Line =>
    truncate(line(`    ${each.tool} ${explicitText(each.target.split('\n')[0] ?? '')}`), columns);
  return [
    [question, span(`Allow these ${calls.length} calls?`, { bold: true })],
    ...calls.slice(0, MOST_LISTED).map(row),
    ...(left > 0 ? [truncate(line(`    and ${left} more, shown above`, { dim: true }), columns)] : []),
  ];
}

/** The keys with what they do, and the rules that `a` and `p` save. */
function choices({ tool, wider = [], chosen, more = [] }: PendingApproval, isLow: boolean): readonly Line[] {
  const name = (rules: readonly string[] | undefined): string =>
    rules === undefined ? describeScope(tool) : explicitText(rules.join(', '));
  const next = wider[chosen === undefined ? 0 : wider.indexOf(chosen) + 1];
  const keys =
    more.length > 0
      ? TOGETHER
      : [
          ['y', 'yes'],
          // In a low window, what is asked about counts more than whole sentences.
          ['a', isLow && chosen === undefined ? 'in this session' : `yes, and ${name(chosen)} again in this session`],
          ['p', isLow ? 'in this project' : 'yes, always in this project'],
          ...(wider.length === 0 ? [] : [['w', `instead for ${name(next)}`]]),
          ['n', 'no'],
          ['Esc', 'stop'],
          ['e', 'edit'],
        ];
  return keys.map(([key = '', what = '']) => [span(key, { bold: true, color: 'cyan' }), span(` ${what}`)]);
}

/** As many choices on a row as fit: none is divided unless it is wider than the window. */
function choiceLines(given: readonly Line[], columns: number): Line[] {
  const rows: Line[] = [];
  for (const choice of given) {
    const row = rows.at(-1);
    if (row === undefined || lineWidth(row) + 2 + lineWidth(choice) > columns) rows.push([span('  '), ...choice]);
    else rows[rows.length - 1] = [...row, span('  '), ...choice];
  }
  return rows.flatMap((row) => wrapWords(row, columns, { rest: [span('    ')] }));
}
