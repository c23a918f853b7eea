import { isSummary, messageText } from '../../agent/state.ts';
import type { Json, Message } from '../../agent/types/index.ts';
import { createKeyDecoder, type InputEvent, wordOf } from '../device/keys.ts';
import { BLANK, type Line, line, type Style, span } from '../text/line.ts';
import { safeText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';
import { scrolled } from '../view/transcript.ts';
import { type App, columnsOf, hint } from './app.ts';
import { answerQuestion, approvalKey, questionKey } from './dialogs.ts';
import type { EditorControl } from './editing.ts';
import type { Turns } from './turns.ts';

/** Lines of one result. */
const MOST_LINES = 2000;

/** Ctrl-O: the whole conversation with arguments, results, thinking and times. */
function showTranscript(app: App): void {
  if (!app.isOpen()) {
    hint(app, 'There is no transcript yet.');
    return;
  }
  const { messages } = app.session().state;
  const columns = columnsOf(app);
  const results = new Map(messages.flatMap((one) => (one.role === 'tool' ? [[one.callId, one] as const] : [])));
  const lines = messages.flatMap((message) => linesOf(message, columns, { durations: app.state.durations, results }));
  const shown = lines.length === 0 ? [line('Nothing was said yet.', { dim: true })] : lines;
  if (app.device.screenReader || app.device.isDumb === true) {
    app.screen.print(shown);
    return;
  }
  const height = app.device.size().rows - 2;
  app.state.transcript = { lines: shown, top: Math.max(0, shown.length - height) };
}

type ToolMessage = Extract<Message, { role: 'tool' }>;

/** What is known of calls, by their identifiers. */
interface Calls {
  /** In milliseconds. */
  readonly durations: ReadonlyMap<string, number>;
  readonly results: ReadonlyMap<string, ToolMessage>;
}

/** A message; results stand below their calls. */
function linesOf(message: Message, columns: number, { durations, results }: Calls): Line[] {
  const wrapped = (text: string, style: Style = {}, indent = ''): Line[] =>
    safeText(text)
      .split('\n')
      .flatMap((each) => wrapWords(line(each, style), columns, { first: [span(indent)], rest: [span(indent)] }));
  const resultOf = (result: ToolMessage | undefined): Line[] => {
    if (result === undefined) return [line('  no result yet', { dim: true })];
    const rows = result.content.split('\n');
    const left = rows.length - MOST_LINES;
    const how = result.outcome ?? 'succeeded';
    return [
      ...(how === 'succeeded' ? [] : [line(`  ${how}`, { color: 'red' })]),
      ...wrapped(rows.slice(0, MOST_LINES).join('\n'), { dim: true }, '  '),
      ...(left > 0 ? [line(`  … ${left} more lines`, { dim: true })] : []),
    ];
  };
  switch (message.role) {
    case 'user':
      return [BLANK, ...wrapped(`> ${messageText(message)}`, isSummary(message) ? { dim: true } : { bold: true })];
    case 'assistant': {
      const thinking = thinkingOf(message.members);
      return [
        ...(thinking === '' ? [] : [BLANK, ...wrapped(thinking, { dim: true, italic: true })]),
        ...(message.content === '' ? [] : [BLANK, ...wrapped(message.content)]),
        ...(message.toolCalls ?? []).flatMap((call) => [
          BLANK,
          [
            span('● ', { color: 'cyan' as const }),
            span(safeText(call.name), { bold: true }),
            span(durations.has(call.id) ? ` · ${((durations.get(call.id) ?? 0) / 1000).toFixed(1)} s` : '', {
              dim: true,
            }),
          ],
          ...wrapped(argumentsOf(call.arguments), {}, '  '),
          ...resultOf(results.get(call.id)),
        ]),
      ];
    }
    default:
      return [];
  }
}

function argumentsOf(text: string): string {
  try {
    const value = JSON.parse(text) as Readonly<Record<string, Json>>;
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
      .join('\n');
  } catch {
    return text;
  }
}

function thinkingOf(members: Extract<Message, { role: 'assistant' }>['members']): string {
  const { reasoning_content: content, reasoning } = members ?? {};
  return typeof content === 'string' ? content.trim() : typeof reasoning === 'string' ? reasoning.trim() : '';
}

/** A lone Escape and the beginning of a sequence look alike: after this time nothing more belongs to it. */
const ESCAPE_MS = 30;
const TWICE_MS = 1000;

export interface Keyboard {
  input(text: string): void;
}

/** Gives every key to what is in front: a permission, a question, a list, or else the editor. */
export function createKeyboard(app: App, editor: EditorControl, turns: Turns): Keyboard {
  const decoder = createKeyDecoder();
  const { state, timers } = app;
  let cancelFlush: (() => void) | null = null;
  let leaving = Number.NEGATIVE_INFINITY; // when Ctrl-C was pressed with nothing to clear
  let escaped = Number.NEGATIVE_INFINITY;
  /** Keys that were meant for the editor must not decide about a permission that has just appeared. */
  let typed = Number.NEGATIVE_INFINITY;

  const controlC = (): void => {
    if (timers.now() - leaving <= TWICE_MS) {
      app.leave(0);
      return;
    }
    leaving = timers.now();
    if (editor.clear()) {
      hint(app, 'Press Ctrl-C again to leave.', TWICE_MS);
      return;
    }
    if (turns.interrupt()) hint(app, 'Interrupting. Press Ctrl-C again to leave.', TWICE_MS);
    else hint(app, 'Press Ctrl-C again to leave.', TWICE_MS);
  };

  const foldThinking = (): void => {
    state.foldsThinking = !state.foldsThinking;
    hint(app, state.foldsThinking ? 'Thinking is folded. Ctrl-T shows it.' : 'Thinking is shown.');
  };

  const escape = (): void => {
    if (state.picker !== null) {
      state.picker = null;
      return;
    }
    if (editor.escape()) return;
    const [question] = state.questions;
    if (question !== undefined) {
      answerQuestion(app, question, null);
      return;
    }
    if (turns.interrupt()) {
      escaped = Number.NEGATIVE_INFINITY;
      return;
    }
    if (timers.now() - escaped <= TWICE_MS) {
      escaped = Number.NEGATIVE_INFINITY;
      turns.editEarlier();
      return;
    }
    escaped = timers.now();
    hint(app, 'Press Esc again to edit an earlier message.', TWICE_MS);
  };

  const pickerKey = (word: string): void => {
    const { picker } = state;
    if (picker === null) return;
    const move = { up: -1, down: 1, pageup: -10, pagedown: 10 }[word];
    if (move !== undefined) {
      const selected = Math.max(0, Math.min(picker.items.length - 1, picker.selected + move));
      state.picker = { ...picker, selected };
    } else if (word === 'enter') {
      state.picker = null;
      picker.choose(picker.selected);
    }
  };

  const handle = (event: InputEvent): void => {
    if (event.type === 'focus') {
      turns.focused(event.focused);
      return;
    }
    const word = event.type === 'key' ? wordOf(event) : event.type === 'text' ? event.text : '';
    if (word === 'ctrl+c' || (word === 'ctrl+d' && state.editor.text === '' && state.argumentEdit === null)) {
      if (word === 'ctrl+c') controlC();
      else app.leave(0);
      return;
    }
    if (state.transcript !== null) {
      const height = app.device.size().rows - 2;
      const top = scrolled(state.transcript, word, height);
      state.transcript = top === null ? null : { ...state.transcript, top };
      return;
    }
    if (word === 'shift+tab') turns.cycleMode();
    else if (word === 'ctrl+o') showTranscript(app);
    else if (word === 'ctrl+t') foldThinking();
    else if (word === 'ctrl+z') app.suspend();
    else if (word === 'ctrl+b' && state.tools.some(({ tool }) => tool === 'Bash') && app.session().toBackground())
      hint(app, 'The command goes on in the background. /jobs shows it.');
    else if (state.approvals.length > 0 && state.argumentEdit === null && state.denial === null)
      approvalKey(app, event, timers.now() - typed, () => turns.interrupt());
    else if (word === 'escape') escape();
    else if (state.questions.length > 0 && questionKey(app, word, timers.now() - typed)) return;
    else if (state.picker !== null) pickerKey(word);
    else {
      if (event.type !== 'key' || word === 'backspace') typed = timers.now();
      else if (word === 'enter') typed = Number.NEGATIVE_INFINITY;
      editor.handle(event);
    }
  };

  return {
    input(text) {
      cancelFlush?.();
      cancelFlush = null;
      for (const event of decoder.feed(text)) handle(event);
      if (decoder.waiting)
        cancelFlush = timers.after(ESCAPE_MS, () => {
          for (const event of decoder.flush()) handle(event);
          app.screen.draw();
        });
      app.screen.draw();
    },
  };
}
