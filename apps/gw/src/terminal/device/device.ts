import type { Palette } from '../text/line.ts';
import type { Device } from './ports.ts';

const FALLBACK = { columns: 80, rows: 24 };
/** Bracketed paste, focus events, and Shift+Enter as a key of its own (modifyOtherKeys, kitty's protocol). */
/** The title is kept on the terminal's stack. */
const ENTER = '\x1b[22;0t\x1b[?2004h\x1b[?1004h\x1b[>4;1m\x1b[>1u';
/** The screen of programs that use the whole window. */
const WHOLE = '\x1b[?1049';
const LEAVE = '\x1b[23;0t\x1b[?1004l\x1b[?2004l\x1b[>4;0m\x1b[?25h\x1b[<u';

/** The terminal of this process. It is given back as it was, also where the process ends by an error. */
export function createDevice(
  { palette, screenReader }: Pick<Device, 'palette' | 'screenReader'>,
  { stdin, stdout }: Pick<NodeJS.Process, 'stdin' | 'stdout'> = process,
): Device {
  let isWhole = false;
  return {
    palette,
    screenReader,
    isDumb: palette === 'plain',
    size: () => ({ columns: stdout.columns || FALLBACK.columns, rows: stdout.rows || FALLBACK.rows }),
    write(text) {
      if (text.includes(WHOLE)) isWhole = text.lastIndexOf(`${WHOLE}h`) > text.lastIndexOf(`${WHOLE}l`);
      stdout.write(text);
    },
    suspend: () =>
      new Promise((resolve) => {
        process.once('SIGCONT', () => resolve());
        process.kill(process.pid, 'SIGTSTP');
      }),
    open(input, resized, closed) {
      let isFirst = true;
      const onData = (data: string | Buffer): void => {
        const text = String(data);
        // Before the terminal was taken it wrote a line feed for Enter: a message that was typed then is sent.
        input(isFirst && !text.includes('\x1b') ? text.replaceAll('\n', '\r') : text);
        isFirst = false;
      };
      let open = true;
      const close = (): void => {
        if (!open) return;
        open = false;
        process.removeListener('exit', close);
        stdin.removeListener('data', onData).removeListener('end', closed);
        stdout.removeListener('resize', resized);
        stdin.setRawMode(false);
        stdin.pause();
        stdout.write(palette === 'plain' ? '' : `${isWhole ? `${WHOLE}l` : ''}${LEAVE}`);
      };
      process.once('exit', close);
      stdin.setRawMode(true);
      stdin.setEncoding('utf8').on('data', onData).once('end', closed).resume();
      stdout.on('resize', resized);
      stdout.write(palette === 'plain' ? '' : ENTER);
      return close;
    },
  };
}

/** What a terminal of this environment shows: `NO_COLOR` counts where it is set to anything, `TERM=dumb` shows nothing. */
export function paletteOf(variables: ReadonlyMap<string, string>, colors: number): Palette {
  if (variables.get('TERM') === 'dumb') return 'plain';
  return variables.has('NO_COLOR') || colors < 8 ? 'attributes' : 'colors';
}
