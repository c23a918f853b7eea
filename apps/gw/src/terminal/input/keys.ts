/* oxlint-disable no-control-regex -- terminals send them */
import { type InputEvent, type Key, key } from './key.ts';
import { keyOfCsi, keyOfSs3 } from './key-sequences.ts';

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
