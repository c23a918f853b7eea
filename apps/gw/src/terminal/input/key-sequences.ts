import { type InputEvent, type KeyName, key } from './key.ts';

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
