import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import type { ContentPart } from '../../agent/types.ts';

/** Engines refuse larger images, and each one is sent again with every call of the session. */
const MOST_BYTES = 5 * 2 ** 20;

/** The first bytes of each kind of image that engines read. */
const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF....WEBP/s],
];

/** An image file as a part of a message; null where it is none, cannot be read or is larger than 5 MiB. */
export async function imageOf(path: string): Promise<ContentPart | null> {
  try {
    const { size } = await stat(path);
    return size > MOST_BYTES ? null : imagePart(await readFile(path));
  } catch {
    return null;
  }
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
    if (bytes !== null) return imagePart(bytes);
  }
  return null;
}

/** The bytes of an image as a part of a message; null where they are none, or larger than 5 MiB. */
export function imagePart(bytes: Buffer): ContentPart | null {
  if (bytes.length > MOST_BYTES) return null;
  const head = bytes.toString('latin1', 0, 16);
  const [type] = SIGNATURES.find(([, signature]) => signature.test(head)) ?? [];
  return type === undefined ? null : { type: 'image', url: `data:${type};base64,${bytes.toString('base64')}` };
}

function outputOf(program: string, args: readonly string[]): Promise<Buffer | null> {
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'buffer', maxBuffer: MOST_BYTES, timeout: 3000 }, (error, output) =>
      resolve(error === null && output.length > 0 ? output : null),
    );
  });
}
