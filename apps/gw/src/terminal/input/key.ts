export type KeyName =
  | 'enter'
  | 'tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown'
  /** A letter with Ctrl or Alt: `letter` says which. */
  | 'letter';
export interface Key {
  readonly type: 'key';
  readonly name: KeyName;
  readonly letter: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}
export type InputEvent =
  | Key
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'focus'; readonly focused: boolean };

export function key(name: KeyName, modifiers: Partial<Omit<Key, 'type' | 'name'>> = {}): Key {
  return { type: 'key', name, letter: '', ctrl: false, alt: false, shift: false, ...modifiers };
}

/** A key as one word, for tables of keys: `ctrl+a`, `alt+enter`, `shift+tab`, `escape`. */
export function wordOf({ name, letter, ctrl, alt, shift }: Key): string {
  const held = [ctrl ? 'ctrl' : '', alt ? 'alt' : '', shift ? 'shift' : ''].filter((each) => each !== '');
  return [...held, name === 'letter' ? letter : name].join('+');
}
