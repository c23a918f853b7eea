import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResourceResource } from '@agentclientprotocol/sdk';
import type { ContentPart } from '../agent/types.ts';
import { fitPicture, kindOf } from '../pictures/picture.ts';
import { WrongUsage } from '../process/fault.ts';
import { fenceText } from './fence-text.ts';

/**
 * A prompt of the editor as a message for the model. Mentioned files are paths in the text; content that the editor adds comes
 * after the text. Throws `WrongUsage` for a block that cannot be used.
 * @param before what `--prompt` and `--agent` put in front of the first message; empty otherwise
 */
export function messageOf(
  blocks: readonly ContentBlock[],
  cwd: string,
  before: string,
): string | readonly ContentPart[] {
  let text = '';
  const contents: string[] = [];
  const images: ContentPart[] = [];
  for (const block of blocks) {
    if (block.type === 'text') text += block.text;
    else if (block.type === 'image') images.push(imageOf(block.data));
    else if (block.type === 'resource_link') text += mentionOf(block.uri, cwd);
    else if (block.type === 'resource') {
      const { resource } = block;
      text += mentionOf(resource.uri, cwd);
      const added = contentOf(resource, cwd);
      if (typeof added === 'string') contents.push(added);
      else images.push(added);
    } else throw new WrongUsage('gw takes no audio. Send text, images or files.');
  }
  const whole = [before, text, ...contents].filter((part) => part.trim() !== '').join('\n\n');
  if (whole === '' && images.length === 0) throw new WrongUsage('The prompt is empty.');
  return images.length === 0 ? whole : [{ type: 'text', text: whole }, ...images];
}

function contentOf(resource: EmbeddedResourceResource, cwd: string): string | ContentPart {
  if ('text' in resource) return `Content of ${mentionOf(resource.uri, cwd)}:\n${fenceText(resource.text)}`;
  return imageOf(resource.blob);
}

function imageOf(data: string): ContentPart {
  const kind = kindOf(Buffer.from(data, 'base64'));
  if (kind === null) throw new WrongUsage('The image cannot be used: send a PNG, JPEG, GIF or WebP image.');
  return { type: 'image', url: `data:${kind};base64,${data}` };
}

/** The message with its images shrunk to what engines take. Throws `WrongUsage` for one that cannot be. */
export async function withFittingImages(
  message: string | readonly ContentPart[],
): Promise<string | readonly ContentPart[]> {
  if (typeof message === 'string') return message;
  return Promise.all(
    message.map(async (part) => {
      if (part.type !== 'image') return part;
      const picture = await fitPicture(Buffer.from(part.url.slice(part.url.indexOf(',') + 1), 'base64'));
      if ('fault' in picture) throw new WrongUsage(`The image cannot be used. ${picture.fault}`);
      return { type: 'image' as const, url: picture.url };
    }),
  );
}

/** A file below the working directory by its relative path, any other by its absolute one, anything else by its address. */
function mentionOf(uri: string, cwd: string): string {
  const path = pathOf(uri);
  if (path === null) return `\`${uri}\``;
  const way = relative(cwd, path);
  const [, from, to] = /#L(\d+)(?:[-:]L?(\d+))?/.exec(uri) ?? [];
  const lines = from === undefined ? '' : to === undefined ? ` (line ${from})` : ` (lines ${from} to ${to})`;
  return `\`${way === '' ? '.' : /^\.\.(?:\/|$)/.test(way) || isAbsolute(way) ? path : way}\`${lines}`;
}

function pathOf(uri: string): string | null {
  if (isAbsolute(uri)) return uri;
  try {
    const url = new URL(uri);
    url.hash = ''; // lines of a selection
    url.search = '';
    return fileURLToPath(url);
  } catch {
    return null;
  }
}
