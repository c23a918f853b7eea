import { describe, expect, it } from 'vitest';
import { Output, Verbatim } from './exit.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

/** An output, its bytes, and one event after the other: the received and released text, and the delayed rest. */
function opened() {
  const out = new Output();
  const verbatim = new Verbatim(out);
  return {
    verbatim,
    taken: () => Buffer.from(out.take()).toString(),
    event: (channel: string, came: string, left: string, held: number): string => {
      verbatim.note(channel, came, left);
      verbatim.add(bytes(`<${came}>`), bytes(`<${left}>`));
      if (!verbatim.clear) verbatim.settle(held);
      return Buffer.from(out.take()).toString();
    },
  };
}

describe('events whose text waits', () => {
  it('leave unchanged once all of it has left unchanged', () => {
    const { event, verbatim } = opened();
    expect(event('a', 'one', 'one', 0)).toBe('<one>');
    expect(event('a', 'x=1', 'x=', 1)).toBe('');
    expect(event('a', '2', '', 2)).toBe('');
    expect(event('a', ' and', '12 and', 0)).toBe('<x=1><2>< and>');
    expect(verbatim.clear).toBe(true);
  });

  it('leave rewritten where it was changed', () => {
    const { event } = opened();
    expect(event('a', 'is gh', 'is ', 2)).toBe('');
    expect(event('a', 'p_secret', '[secret]', 0)).toBe('<is ><[secret]>');
    expect(event('a', ' on', ' on', 0)).toBe('< on>');
  });

  it('leave rewritten as soon as an event follows that does not carry the text', () => {
    const { event, verbatim } = opened();
    expect(event('a', 'is gh', 'is ', 2)).toBe('');
    expect(event('b', 'else', 'else', 2)).toBe('<is ><else>');
    expect(verbatim.clear).toBe(false);
    expect(event('a', 'ost', 'ghost', 0), 'delayed text leaves here').toBe('<ghost>');
    expect(verbatim.clear).toBe(true);
  });

  it('leave with what ends the text, which then needs no event of its own', () => {
    const { verbatim, taken } = opened();
    verbatim.note('a', 'is gh', 'is ');
    verbatim.add(bytes('<is gh>'), bytes('<is >'));
    verbatim.settle(2);
    verbatim.note('a', '', 'gh');
    verbatim.add(null, bytes('<gh>'));
    verbatim.add(bytes('<stop>'), bytes('<stop>'));
    verbatim.settle(0);
    expect(taken()).toBe('<is gh><stop>');
  });
});
