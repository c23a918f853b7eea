import { describe, expect, it } from 'vitest';
import type { Responses } from '../scan/response.ts';
import { BLOCK, MASK, scanner, token } from '../testing/model-events.ts';
import { Channels } from './channels.ts';
import { LazyTemplate, templateOf } from './event-template.ts';
import { Exit } from './exit.ts';

/** More texts at once than are followed. */
const MANY = 300;
const MOST = 256;

function opened(responses: Responses = MASK) {
  const exit = new Exit();
  const channels = new Channels(scanner, responses, exit);
  const feed = (name: string, text: string): string => {
    const channel = channels.open(name);
    channel.template = new LazyTemplate(() => templateOf(Buffer.from(`<${name} `), Buffer.from('>')));
    return channels.feed(channel, text);
  };
  const left = () => {
    exit.settle(channels.held);
    const { bytes, findings, blocked } = exit.take();
    return { text: Buffer.from(bytes).toString(), findings: findings.map(({ pointer }) => pointer), blocked };
  };
  return { channels, exit, feed, left };
}

describe('the texts of a streamed answer', () => {
  it('are scanned apart, and each goes on where it stopped', () => {
    const { channels, feed, left } = opened();
    expect(feed('/a', `use ${token.slice(0, 9)}`)).toBe('use ');
    expect(feed('/b', token.slice(9))).toBe(token.slice(9));
    expect(channels.held).toBe(9);
    expect(feed('/a', `${token.slice(9)} now`)).toBe('[secret:access-token] now');
    expect(channels.held).toBe(0);
    expect(left().findings).toEqual(['/a']);
  });

  it('begin again under a name that has ended', () => {
    const { channels, feed } = opened();
    feed('/a', token.slice(0, 9));
    expect(channels.end('/a')).toBe(token.slice(0, 9));
    expect(channels.get('/a')).toBeNull();
    expect(feed('/a', `${token.slice(9)} now`)).toBe(`${token.slice(9)} now`);
  });

  it('are none where no event has named one', () => {
    const { channels, left } = opened();
    expect(channels.get('/a')).toBeNull();
    expect(channels.end('/a')).toBe('');
    expect(channels.held).toBe(0);
    channels.close('', []);
    expect(left()).toEqual({ text: '', findings: [], blocked: false });
  });

  it('that end leave in an event like their last one, in the order of their beginning', () => {
    const { channels, feed, left } = opened();
    for (const name of ['/choices/0/text', '/choices/1/text', '/other']) feed(name, 'gh');
    channels.close('/choices/', []);
    expect(left().text).toBe('</choices/0/text gh></choices/1/text gh>');
    expect(channels.held).toBe(2);
    channels.close('', []);
    expect(left().text).toBe('</other gh>');
  });

  it('that have nothing left need no event', () => {
    const { channels, feed, left } = opened();
    expect(feed('/a', 'words. ')).toBe('words. ');
    channels.close('', []);
    expect(left().text).toBe('');
  });

  it('that the present event continues do not end', () => {
    const { channels, feed, left } = opened();
    for (const name of ['/a', '/ab', '/b']) feed(name, token.slice(0, 9));
    channels.close('/a', [{ channel: '/a', from: 0, to: 0 }]);
    expect(left().text).toBe(`</ab ${token.slice(0, 9)}>`);
    expect(feed('/a', `${token.slice(9)}.`)).toBe('[secret:access-token].');
  });

  it('end in a mask where the rest is a secret that nothing followed', () => {
    const { channels, feed, left } = opened();
    expect(feed('/a', `it is ${token}`)).not.toContain(token.slice(4));
    channels.close('', []);
    expect(left()).toEqual({ text: '</a [secret:access-token]>', findings: ['/a'], blocked: false });
  });

  it('are all over with the first secret that blocks: nothing of the others is let go', () => {
    const { channels, feed, left } = opened(BLOCK);
    for (const name of ['/a', '/b', '/c']) feed(name, name === '/b' ? `api_key=${token.slice(4)}` : 'gh');
    channels.close('', []);
    const { text, blocked } = left();
    expect(blocked).toBe(true);
    expect(text).not.toContain('</c');
    expect(text).not.toContain(token.slice(4));
  });
});

describe('more texts at once than are followed', () => {
  const name = (at: number): string => `/choices/${at}/text`;

  it('end the oldest ones, whose rest is not lost', () => {
    const { channels, feed, left } = opened();
    for (let at = 0; at < MANY; at++) feed(name(at), 'gh');
    expect(channels.held).toBe(2 * MOST);
    const ended = Array.from({ length: MANY - MOST }, (_, at) => `<${name(at)} gh>`);
    expect(left().text).toBe(ended.join(''));
    expect(channels.get(name(MANY - MOST - 1))).toBeNull();
    expect(channels.get(name(MANY - MOST))).not.toBeNull();
  });

  it('are each scanned, and hide no secret while they are followed', () => {
    const { feed, left } = opened();
    for (let at = 0; at < MOST; at++) feed(name(at), token.slice(0, 9));
    for (let at = 0; at < MOST; at++) expect(feed(name(at), `${token.slice(9)} `)).toBe('[secret:access-token] ');
    expect(left().findings).toHaveLength(MOST);
  });
});
