/* oxlint-disable no-control-regex -- terminals send them */

const BY_LETTER: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  M: 'enter',
};
const BY_NUMBER: Readonly<Record<number, KeyName>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};
const BY_CODE: Readonly<Record<number, KeyName>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57414: 'enter', // the keypad's
};
/** The kitty protocol's event type of a key that is let go. */
const RELEASED = 3;

/** An SS3 sequence, as terminals send it in application mode. */
export function keyOfSs3(final: string): InputEvent | null {
  const name = BY_LETTER[final];
  return name === undefined ? null : key(name);
}

/** A CSI sequence: xterm's with modifiers, `modifyOtherKeys` (`27;2;13~`) and the kitty protocol's (`13;2u`). */
export function keyOfCsi(parameters: string, final: string): InputEvent | null {
  if (/[<=>?]/.test(parameters)) return null; // an answer to a question, not a key
  if (parameters === '' && (final === 'I' || final === 'O')) return { type: 'focus', focused: final === 'I' };
  const [first = [], second = [], third = []] = parameters.split(';').map((part) => part.split(':').map(Number));
  if (second[1] === RELEASED) return null;
  const modifiers = modifiersOf(second[0]);
  if (final === 'Z') return key('tab', { ...modifiers, shift: true });
  if (final === 'u') return keyOfCode(first[0] ?? 0, modifiers);
  if (final === '~' && first[0] === 27) return keyOfCode(third[0] ?? 0, modifiers);
  const name = final === '~' ? BY_NUMBER[first[0] ?? 0] : BY_LETTER[final];
  return name === undefined ? null : key(name, modifiers);
}

type Modifiers = ReturnType<typeof modifiersOf>;

function keyOfCode(code: number, modifiers: Modifiers): InputEvent | null {
  const name = BY_CODE[code];
  if (name !== undefined) return key(name, modifiers);
  if (!(code >= 0x20 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xf8ff)) return null; // no character
  const letter = String.fromCodePoint(code);
  if (modifiers.ctrl || modifiers.alt) return key('letter', { ...modifiers, letter: letter.toLowerCase() });
  return { type: 'text', text: modifiers.shift ? letter.toUpperCase() : letter };
}

/** Shift, Alt and Ctrl of xterm's number, which is their bits plus one. */
function modifiersOf(number = 1): { shift: boolean; alt: boolean; ctrl: boolean } {
  const bits = Math.max(0, (Number.isInteger(number) ? number : 1) - 1);
  return { shift: (bits & 1) > 0, alt: (bits & 2) > 0, ctrl: (bits & 4) > 0 };
}

const PASTE_END = '\x1b[201~';
const CSI = /^\x1b\[([0-9:;<=>?]*)[ -/]*([@-~])/;
const UNFINISHED = /^\x1b(?:\[[0-9:;<=>? -/]*|O|[\]P_^X][^\x07\x1b]*\x1b?)?$/;
const REPLY = /^\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)/;
const TEXT = /^[^\x00-\x1f\x7f]+/;

export interface KeyDecoder {
  /** Characters as they arrive, sequences cut anywhere. */
  feed(text: string): InputEvent[];
  /** Nothing more came for a moment: what waits is what it looks like, a lone Escape for instance. */
  flush(): InputEvent[];
  /** Whether something waits for its rest. */
  readonly waiting: boolean;
}

/** Turns what a terminal sends into keys: xterm's sequences, those of the kitty protocol, and bracketed paste. */
export function createKeyDecoder(): KeyDecoder {
  let rest = '';
  let pasted: string | null = null;

  const take = (final: boolean): InputEvent[] => {
    const events: InputEvent[] = [];
    while (rest !== '') {
      if (pasted !== null) {
        const end = rest.indexOf(PASTE_END);
        if (end === -1) {
          // The end mark may have begun: keep back its length.
          const keep = Math.min(rest.length, PASTE_END.length - 1);
          pasted += rest.slice(0, rest.length - keep);
          rest = rest.slice(rest.length - keep);
          break;
        }
        events.push({ type: 'paste', text: decodePaste(pasted + rest.slice(0, end)) });
        rest = rest.slice(end + PASTE_END.length);
        pasted = null;
        continue;
      }
      if (!final && UNFINISHED.test(rest)) break;
      const [event, length] = next(rest);
      rest = rest.slice(length);
      if (event === 'paste') pasted = '';
      else if (event !== null) events.push(event);
    }
    return events;
  };

  return {
    feed: (text) => {
      rest += text;
      return take(false);
    },
    flush: () => take(true),
    get waiting() {
      return rest !== '' && pasted === null;
    },
  };
}

/** The first event of a text, or null if there is none, and how many code units it takes. */
function next(text: string): [InputEvent | 'paste' | null, number] {
  const [plain] = TEXT.exec(text) ?? [];
  if (plain !== undefined) return [{ type: 'text', text: plain }, plain.length];
  if (!text.startsWith('\x1b')) return [ofControl(text.charCodeAt(0)), 1];

  const csi = CSI.exec(text);
  if (csi !== null) {
    const [whole, parameters = '', final = ''] = csi;
    if (final === '~' && parameters === '200') return ['paste', whole.length];
    return [keyOfCsi(parameters, final), whole.length];
  }
  const reply = REPLY.exec(text); // an answer of the terminal that nobody asked for
  if (reply !== null) return [null, reply[0].length];
  if (text.startsWith('\x1bO') && text.length > 2) return [keyOfSs3(text.charAt(2)), 3];

  const second = text.charAt(1);
  if (second === '' || second === '\x1b') return [key('escape'), 1];
  if (second < ' ' || second === '\x7f') {
    const event = ofControl(second.charCodeAt(0));
    return [event === null ? null : { ...event, alt: true }, 2];
  }
  const letter = String.fromCodePoint(text.codePointAt(1) ?? 0);
  const lower = letter.toLowerCase();
  return [key('letter', { letter: lower, alt: true, shift: letter !== lower }), 1 + letter.length];
}

function ofControl(code: number): Key | null {
  if (code === 0x0d) return key('enter');
  if (code === 0x0a) return key('enter', { shift: true }); // Ctrl-J: a new line in every terminal
  if (code === 0x09) return key('tab');
  if (code === 0x7f || code === 0x08) return key('backspace');
  if (code === 0) return null;
  if (code <= 0x1a) return key('letter', { letter: String.fromCharCode(code + 0x60), ctrl: true });
  return code === 0x1f ? key('letter', { letter: '_', ctrl: true }) : null;
}

/** Terminals send line ends of a pasted text as carriage returns. Other control characters are removed. */
function decodePaste(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

type KeyName =
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
interface Key {
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

function key(name: KeyName, modifiers: Partial<Omit<Key, 'type' | 'name'>> = {}): Key {
  return { type: 'key', name, letter: '', ctrl: false, alt: false, shift: false, ...modifiers };
}

/** A key as one word, for tables of keys: `ctrl+a`, `alt+enter`, `shift+tab`, `escape`. */
export function wordOf({ name, letter, ctrl, alt, shift }: Key): string {
  const held = [ctrl ? 'ctrl' : '', alt ? 'alt' : '', shift ? 'shift' : ''].filter((each) => each !== '');
  return [...held, name === 'letter' ? letter : name].join('+');
}
