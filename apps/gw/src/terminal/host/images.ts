import { execFile } from 'node:child_process';
import type { ContentPart } from '../../agent/types.ts';
import { fitPicture, type Picture, pictureOf } from '../../pictures/picture.ts';

/** Bytes of what the clipboard gives. */
const MOST_BYTES = 64 * 2 ** 20;

/** A picture file as a part of a message, shrunk to what engines take; null where it is none or cannot be read. */
export async function imageOf(path: string): Promise<ContentPart | null> {
  return partOf(await pictureOf(path));
}

/** The image in the clipboard, by the program that the desktop brings for it. */
export async function clipboardImage(variables: ReadonlyMap<string, string>): Promise<ContentPart | null> {
  const commands: readonly (readonly [string, ...string[]])[] = variables.has('WAYLAND_DISPLAY')
    ? [['wl-paste', '--type', 'image/png']]
    : variables.has('DISPLAY')
      ? [['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out']]
      : [['pngpaste', '-']];
  for (const [program, ...args] of commands) {
    const bytes = await outputOf(program, args);
    if (bytes !== null) return partOf(await fitPicture(bytes));
  }
  return null;
}

function partOf(picture: Picture): ContentPart | null {
  return 'fault' in picture ? null : { type: 'image', url: picture.url };
}

function outputOf(program: string, args: readonly string[]): Promise<Buffer | null> {
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'buffer', maxBuffer: MOST_BYTES, timeout: 3000 }, (error, output) =>
      resolve(error === null && output.length > 0 ? output : null),
    );
  });
}
