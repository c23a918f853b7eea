import type { ContentBlock } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { messageOf } from './editor-session.ts';

const CWD = '/home/casey/shop';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
const link = (uri: string): ContentBlock => ({ type: 'resource_link', name: 'x', uri });
const text = (content: string): ContentBlock => ({ type: 'text', text: content });

describe('a file that is mentioned', () => {
  it.each([
    ['file:///home/casey/shop/src/a.ts', '`src/a.ts`'],
    ['file:///home/casey/shop/with%20blank%20%C3%A9.md', '`with blank é.md`'],
    ['/home/casey/shop/a.ts', '`a.ts`'],
    ['file:///home/casey/shop', '`.`'],
    ['file:///home/casey/shop2/a.ts', '`/home/casey/shop2/a.ts`'],
    ['file:///etc/hosts', '`/etc/hosts`'],
    ['file:///home/casey/shop/a.ts#L7', '`a.ts` (line 7)'],
    ['file:///home/casey/shop/a.ts#L7-L12', '`a.ts` (lines 7 to 12)'],
    ['file:///home/casey/shop/a.ts?symbol=x#L7:12', '`a.ts` (lines 7 to 12)'],
    ['file:///home/casey/shop/..hidden/a.ts', '`..hidden/a.ts`'],
    ['https://example.org/page#L7', '`https://example.org/page#L7`'],
    ['zed:///agent/symbol', '`zed:///agent/symbol`'],
    ['not an address', '`not an address`'],
  ])('%s is %s in the message', (uri, mention) => {
    expect(messageOf([text('See '), link(uri)], CWD, '')).toBe(`See ${mention}`);
  });
});

describe('content that the editor adds', () => {
  it('comes after the text, in a fence that it cannot close', () => {
    const resource = { uri: 'file:///home/casey/shop/a.md', text: '```js\ncode\n```\n````' };
    expect(messageOf([{ type: 'resource', resource }, text(' please')], CWD, '')).toBe(
      '`a.md` please\n\nContent of `a.md`:\n`````\n```js\ncode\n```\n````\n`````',
    );
  });

  it('may be an image, which is known by its bytes and not by its name', () => {
    const resource = { uri: 'file:///home/casey/shop/a.txt', mimeType: 'text/plain', blob: PNG };
    expect(messageOf([{ type: 'resource', resource }], CWD, '')).toEqual([
      { type: 'text', text: '`a.txt`' },
      { type: 'image', url: `data:image/png;base64,${PNG}` },
    ]);
  });

  it('that is no image is refused', () => {
    for (const blob of ['AAAA', '', '!!!'])
      expect(() => messageOf([{ type: 'resource', resource: { uri: 'x', blob } }], CWD, '')).toThrow(
        'The image cannot be used: send a PNG, JPEG, GIF or WebP image.',
      );
  });
});

describe('a message', () => {
  it('begins with the prompts of the command line, and joins texts as they are', () => {
    expect(messageOf([text('one'), text(' two\n')], CWD, 'BEFORE')).toBe('BEFORE\n\none two\n');
    expect(messageOf([text('one')], CWD, '  ')).toBe('one');
  });

  it('may be an image alone, and is nothing without anything', () => {
    const image: ContentBlock = { type: 'image', mimeType: 'image/png', data: PNG };
    expect(messageOf([image], CWD, '')).toEqual([
      { type: 'text', text: '' },
      { type: 'image', url: `data:image/png;base64,${PNG}` },
    ]);
    for (const blocks of [[], [text('')], [text(' \n')]])
      expect(() => messageOf(blocks, CWD, '')).toThrow('The prompt is empty.');
  });
});
