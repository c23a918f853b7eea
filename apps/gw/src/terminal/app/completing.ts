import { type Editor, replaceRange } from '../view/editor.ts';
import { tokenAt } from '../view/state.ts';
import { type App, inBackground } from './app.ts';

export interface CommandInfo {
  readonly name: string;
  /** One line, lower case. */
  readonly about: string;
}

/** Completes `/` commands and `@` files at the cursor. */
export interface Completion {
  /** Looks at the text again; called after every change. */
  update(): void;
  /** True where the key belongs to the list of suggestions. */
  key(word: string): boolean;
  close(): void;
}

const MOST = 50;

export function createCompletion(app: App, commands: readonly CommandInfo[]): Completion {
  const { state, host, libraries } = app;
  let closedAt: string | null = null; // Escape closed the list for this text
  let files: Promise<readonly string[]> | null = null;
  let asked = 0;
  let seen: Editor | null = null;

  const close = (): void => {
    state.suggestions = null;
    closedAt = state.editor.text;
  };
  const take = (): void => {
    const { suggestions, editor } = state;
    const item = suggestions?.items[suggestions.selected];
    if (suggestions === null || item === undefined) return;
    const { from, to } = suggestions.token;
    // A name with a blank would end at it.
    const value = /\s/.test(item.value) ? `"${item.value}"` : item.value;
    state.editor = replaceRange(editor, from, to, suggestions.token.kind === 'file' ? `@${value} ` : `${value} `);
    state.suggestions = null;
  };

  return {
    close,
    update() {
      if (state.editor === seen) return; // the arrows move within the list
      seen = state.editor;
      const token = state.argumentEdit === null ? tokenAt(state.editor.text, state.editor.cursor) : null;
      if (token === null || closedAt === state.editor.text) {
        state.suggestions = null;
        if (token === null) {
          closedAt = null;
          files = null; // the next `@` looks at the project again
        }
        return;
      }
      closedAt = null;
      asked += 1;
      if (token.kind === 'command') {
        const items = [...commands, ...state.ownCommands]
          .filter(({ name }) => name.startsWith(token.query))
          .map(({ name, about }) => ({ value: `/${name}`, note: about }));
        state.suggestions = items.length === 0 ? null : { token, items, selected: 0 };
        return;
      }
      const mine = asked;
      files ??= host.files().catch(() => []);
      const listed = files;
      inBackground(app, async () => {
        const [names, search] = await Promise.all([listed, libraries.fuzzy()]);
        if (mine !== asked || tokenAt(state.editor.text, state.editor.cursor)?.query !== token.query) return;
        const items = search(token.query, names, MOST).map((value) => ({ value, note: '' }));
        state.suggestions = items.length === 0 ? null : { token, items, selected: 0 };
      });
    },
    key(word) {
      const { suggestions } = state;
      if (suggestions === null) return false;
      const { items, selected } = suggestions;
      const move = { up: -1, down: 1, 'ctrl+p': -1, 'ctrl+n': 1 }[word];
      if (move !== undefined) {
        state.suggestions = { ...suggestions, selected: (selected + move + items.length) % items.length };
        return true;
      }
      if (word !== 'tab' && word !== 'enter') return false;
      const item = items[selected];
      // A command that is written whole is run; so is one that the list would only repeat.
      if (word === 'enter' && suggestions.token.kind === 'command' && item?.value === state.editor.text.trim())
        return false;
      take();
      // Enter on a suggested command runs it.
      return !(word === 'enter' && suggestions.token.kind === 'command');
    },
  };
}
