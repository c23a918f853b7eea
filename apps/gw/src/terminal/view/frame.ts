import type { Size } from '../device/ports.ts';
import type { LiveView } from '../screen/screen.ts';
import type { UiState } from '../state/state.ts';
import { BLANK, type Line, line, truncate } from '../text/line.ts';
import { explicitText } from '../text/safe.ts';
import { wrapCharacters } from '../text/wrap.ts';
import { activityLines } from './activity.ts';
import { approvalLines } from './approval.ts';
import { checklistLines } from './checklist.ts';
import { inputView } from './input.ts';
import { pickerLines } from './picker.ts';
import { questionLines } from './question.ts';
import { queueLines } from './queue.ts';
import { statusLine } from './status.ts';
import { transcriptView } from './transcript.ts';

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
