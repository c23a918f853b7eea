import type { InputEvent } from '../device/keys.ts';
import { type Line, line, span } from '../text/line.ts';
import { safeText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';
import { EMPTY_EDITOR, editorOf } from '../view/editor.ts';
import type { PendingQuestion } from '../view/state.ts';
import { type App, columnsOf, hint, print } from './app.ts';

/** The argument of a call that a person edits, and how the edited text goes back into the call. */
interface EditableArgument {
  readonly label: string;
  readonly text: string;
  /** The arguments with the edited text, as JSON; null where the text does not fit. */
  readonly apply: (text: string) => string | null;
}

/** What is worth editing of each tool. Of any other, all arguments are edited as JSON. */
const ARGUMENTS: Readonly<Record<string, readonly [member: string, label: string]>> = {
  Bash: ['command', 'the command'],
  Write: ['content', 'the content of the file'],
  Edit: ['new_string', 'the new text'],
  Fetch: ['url', 'the address'],
};

function editableArgument(tool: string, json: string): EditableArgument {
  const args = objectOf(json);
  const [member, label] = ARGUMENTS[tool] ?? [];
  if (args !== null && member !== undefined && label !== undefined) {
    const value = args[member];
    if (typeof value === 'string')
      return { label, text: value, apply: (text) => JSON.stringify({ ...args, [member]: text }) };
  }
  return {
    label: 'the arguments (JSON)',
    text: args === null ? json : JSON.stringify(args, null, 2),
    apply: (text) => (objectOf(text) === null ? null : text),
  };
}

function objectOf(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** So soon after the last letter, a key still belongs to the message that is being written. */
const STILL_TYPING_MS = 400;
/** Nobody reads a question and answers it so soon after it appeared. */
const TOO_SOON_MS = 500;

/** The keys of a permission request. Anything else does nothing: no key approves by accident. */
export function approvalKey(app: App, event: InputEvent, sinceTyped: number, interrupt: () => void): void {
  const { state } = app;
  const [approval] = state.approvals;
  if (approval === undefined) return;
  if (event.type === 'key' && event.name === 'escape') {
    interrupt();
    return;
  }
  if (event.type !== 'text' || sinceTyped < STILL_TYPING_MS) return;
  const done = (): void => {
    state.approvals = state.approvals.filter((each) => each !== approval);
  };
  const key = event.text.toLowerCase();
  if ((approval.more ?? []).length > 0 && !/^[yn]$/.test(key)) {
    if (key !== 'o') {
      hint(app, 'Press y, o or n. Esc denies and stops.');
      return;
    }
    done();
    app.session().decide(approval.id, { decision: 'each' });
    return;
  }
  switch (key) {
    case 'y':
      done();
      app.session().decide(approval.id, { decision: 'allow' });
      break;
    case 'a':
    case 'p': {
      done();
      const rules = approval.chosen === undefined ? {} : { rules: approval.chosen };
      const remember = key === 'a' ? 'session' : 'project';
      app.session().decide(approval.id, { decision: 'allow', remember, ...rules });
      break;
    }
    case 'w': {
      const { wider = [], chosen } = approval;
      const next = wider[chosen === undefined ? 0 : wider.indexOf(chosen) + 1];
      if (wider.length === 0) hint(app, 'There is no rule for this call beyond the call itself.');
      state.approvals = state.approvals.map((each) => (each === approval ? { ...each, chosen: next } : each));
      break;
    }
    case 'n':
      state.denial = { approval, draft: state.editor };
      state.editor = EMPTY_EDITOR;
      break;
    case 'e': {
      const { label, text, apply } = editableArgument(approval.tool, approval.arguments);
      state.argumentEdit = { approval, label, draft: state.editor, apply };
      state.editor = editorOf(text, state.editor);
      break;
    }
    default:
      hint(app, 'Press y, a, p, w, n or e. Esc denies and stops.');
  }
}

/** The keys of a question with options. False where the key belongs to the editor: an answer in one's own words. */
export function questionKey(app: App, word: string, sinceTyped: number): boolean {
  const { state } = app;
  if (sinceTyped < STILL_TYPING_MS && state.editor.text !== '') return false;
  const [question] = state.questions;
  if (question === undefined || question.selected >= question.options.length) {
    if (word !== 'up' || question === undefined || question.options.length === 0 || state.editor.text !== '')
      return false;
    state.questions = [{ ...question, selected: question.options.length - 1 }, ...state.questions.slice(1)];
    return true;
  }
  const { options, selected, settle, shownAt } = question;
  if (shownAt !== undefined && app.timers.now() - shownAt < TOO_SOON_MS) return true;
  const last = settle === undefined ? options.length : options.length - 1;
  const choose = (index: number): void => {
    state.questions = [{ ...question, selected: index }, ...state.questions.slice(1)];
  };
  const answer = (index: number): void => {
    const option = options[index];
    if (option === undefined) {
      choose(last); // in one's own words
      return;
    }
    answerQuestion(app, question, option);
  };
  if (word === 'up') choose(Math.max(0, selected - 1));
  else if (word === 'down') choose(Math.min(last, selected + 1));
  else if (word === 'enter') answer(selected);
  else if (/^[1-9]$/.test(word) && Number(word) <= last + 1) answer(Number(word) - 1);
  return true;
}

/** Answers a question; null declines it. Both stay above. */
export function answerQuestion(app: App, { id, question, settle }: PendingQuestion, answer: string | null): void {
  app.state.questions = app.state.questions.filter((each) => each.id !== id);
  const asked = safeText(question)
    .split('\n')
    .map(
      (each, at): Line => [
        at === 0 ? span('? ', { color: 'yellow', bold: true }) : span('  '),
        span(each, { bold: true }),
      ],
    );
  const answered =
    answer === null
      ? [line('  Declined.', { dim: true })]
      : safeText(answer)
          .split('\n')
          .map((each) => line(`  ${each}`));
  print(
    app,
    [...asked, ...answered].flatMap((each) => wrapWords(each, columnsOf(app), { rest: [span('  ')] })),
  );
  if (settle === undefined) app.session().answer(id, answer);
  else settle(answer);
}
