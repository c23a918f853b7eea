import type { ContentPart } from '../../agent/types/index.ts';
import { type InputEvent, wordOf } from '../device/keys.ts';
import {
  attach,
  type Edit,
  EMPTY_EDITOR,
  edit,
  editorOf,
  expand,
  inFirstLine,
  inLastLine,
  insert,
  isLong,
  recall,
  remember,
  searchBack,
} from '../view/editor.ts';
import { type App, hint, inBackground } from './app.ts';
import type { Completion } from './completing.ts';
import { answerQuestion } from './dialogs.ts';
import type { Turns } from './turns.ts';

/** The editor's keys, its history, and what is done with the text. */
export interface EditorControl {
  handle(event: InputEvent): void;
  /** Empties the editor. False where it was empty. */
  clear(): boolean;
  /** What Escape closes within the editor. False where nothing is open. */
  escape(): boolean;
}

const EDITS: Readonly<Record<string, Edit>> = {
  left: 'left',
  'ctrl+b': 'left',
  right: 'right',
  'ctrl+f': 'right',
  'ctrl+left': 'word-left',
  'alt+left': 'word-left',
  'alt+b': 'word-left',
  'ctrl+right': 'word-right',
  'alt+right': 'word-right',
  'alt+f': 'word-right',
  home: 'line-start',
  'ctrl+a': 'line-start',
  end: 'line-end',
  'ctrl+e': 'line-end',
  backspace: 'backspace',
  'shift+backspace': 'backspace',
  delete: 'delete',
  'ctrl+d': 'delete',
  'alt+d': 'delete-word',
  'ctrl+u': 'kill-to-start',
  'ctrl+k': 'kill-to-end',
  'ctrl+w': 'kill-word',
  'alt+backspace': 'kill-word',
  'ctrl+y': 'yank',
  'ctrl+_': 'undo',
};
const NEW_LINE = new Set(['shift+enter', 'alt+enter', 'ctrl+enter', 'ctrl+j']);
/** While a turn runs, it sends the message after the turn. */
const QUEUES = 'alt+enter';
const IMAGE_PATH = /^(?:file:\/\/)?['"]?(\/[^\n'"]+\.(?:png|jpe?g|gif|webp))['"]?\s*$/i;

export function createEditorControl(app: App, completion: Completion, turns: Turns): EditorControl {
  const { state, host } = app;

  const submit = (queued = false): void => {
    const { argumentEdit, editor, denial } = state;
    if (denial !== null) {
      const reason = editor.text.trim();
      state.denial = null;
      state.editor = denial.draft;
      state.approvals = state.approvals.filter((each) => each !== denial.approval);
      app.session().decide(denial.approval.id, {
        decision: 'deny',
        ...(reason === '' ? {} : { reason: `The user denied it: ${reason}` }),
      });
      return;
    }
    if (argumentEdit !== null) {
      const json = argumentEdit.apply(editor.text);
      if (json === null) {
        hint(app, 'This is not a JSON object. Correct it, or press Esc.');
        return;
      }
      state.argumentEdit = null;
      state.editor = argumentEdit.draft;
      const { approval } = argumentEdit;
      state.approvals = state.approvals.filter((each) => each !== approval);
      // What is done now is not what was shown: its result is.
      state.tools = state.tools.map((each) => (each.id === approval.call ? { ...each, announced: 'heading' } : each));
      app.session().decide(approval.id, { decision: 'allow', arguments: json });
      return;
    }
    if (editor.text.endsWith('\\') && editor.cursor === editor.text.length) {
      state.editor = insert(edit(editor, 'backspace'), '\n');
      return;
    }
    const text = editor.text.trim();
    if (text === '') return;
    state.editor = { ...EMPTY_EDITOR, killed: editor.killed };
    state.suggestions = null;
    const [question] = state.questions;
    if (question !== undefined) {
      answerQuestion(app, question, expand(state.attachments, text));
      return;
    }
    const whole = expand(state.attachments, text);
    state.history = remember(state.history, whole);
    inBackground(app, () => host.history.append(whole));
    app.send(text, queued);
  };

  const arrow = (direction: -1 | 1): void => {
    const { editor, history } = state;
    const edge = direction === -1 ? inFirstLine(editor) : inLastLine(editor);
    if (!edge || state.argumentEdit !== null) {
      state.editor = edit(editor, direction === -1 ? 'up' : 'down');
      return;
    }
    if (direction === -1 && editor.text === '') {
      const queued = turns.unqueue();
      if (queued !== null) {
        state.editor = editorOf(queued, editor);
        return;
      }
    }
    const found = recall(history, direction, editor.text);
    if (found === null) return;
    state.history = found[0];
    state.editor = editorOf(found[1], editor);
  };

  const attachPart = (part: ContentPart): void => {
    const model = app.isOpen() ? app.session().model : null;
    if (model?.images === false) {
      hint(app, `${model.name} takes no images (images: false in its configuration).`);
      return;
    }
    const [attachments, label] = attach(state.attachments, part);
    state.attachments = attachments;
    state.editor = insert(state.editor, `${label} `);
    app.screen.refresh();
  };
  const paste = (text: string): void => {
    const path = IMAGE_PATH.exec(text)?.[1];
    if (path !== undefined && state.argumentEdit === null) {
      inBackground(app, async () => {
        const part = await host.image(path);
        if (part === null) state.editor = insert(state.editor, text);
        else attachPart(part);
      });
      return;
    }
    if (!isLong(text) || state.argumentEdit !== null) {
      state.editor = insert(state.editor, text);
      return;
    }
    const [attachments, label] = attach(state.attachments, text);
    state.attachments = attachments;
    state.editor = insert(state.editor, label);
  };
  const pasteImage = (): void => {
    inBackground(app, async () => {
      const part = await host.clipboardImage();
      if (part === null) hint(app, 'The clipboard contains no image.');
      else attachPart(part);
    });
  };
  const openEditor = (): void => {
    const before = state.editor.text;
    inBackground(app, async () => {
      const text = await app.lend(() => host.externalEditor(before));
      if (text === null) hint(app, 'Set VISUAL or EDITOR to edit the message in an editor.');
      else state.editor = editorOf(text.replace(/\n$/, ''), state.editor);
    });
  };

  const key = (word: string): void => {
    if (completion.key(word)) return;
    if (word === QUEUES && state.activity !== null) {
      submit(true);
      return;
    }
    const what = EDITS[word];
    if (what !== undefined) state.editor = edit(state.editor, what);
    else if (word === 'enter') submit();
    else if (NEW_LINE.has(word)) state.editor = insert(state.editor, '\n');
    else if (word === 'up' || word === 'ctrl+p') arrow(-1);
    else if (word === 'down' || word === 'ctrl+n') arrow(1);
    else if (word === 'ctrl+v') pasteImage();
    else if (word === 'ctrl+g') openEditor();
    else if (word === 'ctrl+l') app.screen.resized();
  };

  const searchKey = (event: InputEvent): boolean => {
    const word = event.type === 'key' ? wordOf(event) : '';
    const { search } = state;
    if (search === null) {
      if (word !== 'ctrl+r' || state.argumentEdit !== null || state.denial !== null) return false;
      state.search = { query: '', skipped: 0, draft: state.editor };
      return true;
    }
    let { query, skipped } = search;
    if (event.type === 'text') [query, skipped] = [query + event.text, 0];
    else if (word === 'backspace') [query, skipped] = [query.slice(0, -1), 0];
    else if (word === 'ctrl+r') skipped += 1;
    else {
      state.search = null;
      return word === 'enter';
    }
    const found = searchBack(state.history, query, skipped);
    if (found === null && word === 'ctrl+r') return true;
    state.search = { ...search, query, skipped };
    if (found !== null) state.editor = editorOf(found, state.editor);
    return true;
  };

  return {
    handle(event) {
      if (searchKey(event)) return;
      if (event.type === 'text') state.editor = insert(state.editor, event.text);
      else if (event.type === 'paste') paste(event.text);
      else if (event.type === 'key') key(wordOf(event));
      completion.update();
    },
    clear() {
      if (state.editor.text === '') return false;
      state.editor = { ...EMPTY_EDITOR, killed: state.editor.text };
      state.suggestions = null;
      return true;
    },
    escape() {
      if (state.suggestions !== null) {
        completion.close();
        return true;
      }
      if (state.search !== null || state.denial !== null) {
        state.editor = (state.search ?? state.denial)?.draft ?? state.editor;
        if (state.search === null) state.denial = null;
        state.search = null;
        return true;
      }
      if (state.argumentEdit === null) return false;
      state.editor = state.argumentEdit.draft;
      state.argumentEdit = null;
      return true;
    },
  };
}
