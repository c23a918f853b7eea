import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Responses } from '../scan/response.ts';
import { BLOCK, MASK, scanner, token } from '../testing/model-events.ts';
import { Channels, eventFrom, LazyTemplate, stringEnd, stringOf, templateOf, viewOf } from './channels.ts';
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

const BEFORE = 'data: {"delta":"';
const AFTER = '"}\n\n';
const template = templateOf(Buffer.from(BEFORE), Buffer.from(AFTER));
const event = (literal: string): string => BEFORE + literal + AFTER;

/** The texts of the leading events with the same template. */
function textsOf(text: string, like = template): string[] {
  const bytes = Buffer.from(text);
  const texts: string[] = [];
  const endAfter = (at: number): number => stringEnd(bytes, viewOf(bytes), at, like);
  let at = 0;
  for (let to = endAfter(at); to >= 0; to = endAfter(at)) {
    const decoded = stringOf(bytes, at + like.before.length, to);
    if (decoded === null) break;
    texts.push(decoded);
    at = to + like.after.length;
  }
  return texts;
}

describe('events with the same template', () => {
  it('are found with the texts that their strings are', () => {
    const text = event('word ') + event('') + event('\\"a\\u00fc\\n\\\\') + event('ü');
    expect(textsOf(text)).toEqual(['word ', '', '"aü\n\\', 'ü']);
  });

  it.each([
    ['another kind of event', 'data: {"usage":1}\n\n'],
    ['another member', 'data: {"delta":"x","other":1}\n\n'],
    ['another member before them', `data: {"x":1,${event('x').slice(7)}`],
    ['the same in another form', 'data: {"delta":"x"}\r\n\r\n'],
    ['a string that is none', event('\\q')],
    ['a string that is none, of an escape', event('x\\')],
    ['a string with a quote in it', event('x"y')],
    ['a string with a control character in it', event('x\ty')],
    ['a string with a line end in it', event('x\n\ndata: y')],
    ['an event that is not whole', event('x').slice(0, -1)],
    ['an event that has just begun', BEFORE.slice(0, 9)],
  ])('end before %s', (_, other) => {
    expect(textsOf(event('a') + event('b') + other + event('c')).slice(0, 3)).toEqual(['a', 'b']);
    expect(textsOf(event('a') + other)).toEqual(['a']);
    expect(textsOf(other + event('a'))).toEqual([]);
  });

  it.each(Array.from({ length: BEFORE.length }, (_, at) => at))('are none where byte %i differs', (at) => {
    const other = event('b');
    expect(textsOf(`${event('a')}${other.slice(0, at)}~${other.slice(at + 1)}`)).toEqual(['a']);
  });

  it('are none where a carriage return ends them, for a line feed may follow', () => {
    const open = templateOf(Buffer.from(BEFORE), Buffer.from('"}\r\r'));
    expect(textsOf(`${BEFORE}a"}\r\r${BEFORE}b"}\r\r`, open)).toEqual([]);
  });

  it('are all found, with any strings and any rest', () => {
    const literal = string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text).slice(1, -1));
    assert(
      property(array(literal), constantFrom('', 'data: [DONE]\n\n', event('x').slice(0, -2)), (literals, rest) => {
        expect(textsOf(literals.map(event).join('') + rest)).toEqual(
          literals.map((one) => JSON.parse(`"${Buffer.from(one).toString()}"`) as string),
        );
      }),
    );
  });
});

describe('an event like others', () => {
  it('is theirs with another string', () => {
    const foreign = templateOf(Buffer.from('data: {"ü":"'), Buffer.from(AFTER));
    expect(Buffer.from(eventFrom(foreign, 'é')).toString()).toBe('data: {"ü":"é"}\n\n');
  });
});
