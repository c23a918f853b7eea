import { describe, expect, it } from 'vitest';
import type { Finding } from '../scan/response.ts';
import { scanner, token } from '../testing/model-events.ts';
import { Exit } from './exit.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const found: readonly Finding[] = scanner.scanText(token);

/** What leaves, as text. */
function taken(exit: Exit) {
  const { bytes: left, findings, blocked } = exit.take();
  return { text: Buffer.from(left).toString(), findings, blocked };
}

describe('events on their way out', () => {
  it('leave in their order, once, with what was found in them', () => {
    const exit = new Exit();
    exit.letGo(bytes('<one>'));
    exit.found(found, false);
    exit.letGo(bytes('<two>'), [{ from: 1, to: 4, text: '2' }], [{ from: 4, to: 4, text: '!' }]);
    exit.insert(bytes('<three>'));
    expect(taken(exit)).toEqual({ text: '<one><2!><three>', findings: found, blocked: false });
    expect(taken(exit)).toEqual({ text: '', findings: [], blocked: false });
  });

  it('wait while a text waits, and leave as they came where it was no secret', () => {
    const exit = new Exit();
    exit.note('a', 'is gh', 'is ');
    exit.letGo(bytes('<is gh>'), [{ from: 1, to: 6, text: 'is ' }]);
    exit.settle(2);
    expect([exit.clear, taken(exit).text]).toEqual([false, '']);
    exit.note('a', 'ost', 'ghost');
    exit.letGo(bytes('<ost>'), [{ from: 1, to: 4, text: 'ghost' }]);
    exit.settle(0);
    expect([exit.clear, taken(exit).text]).toEqual([true, '<is gh><ost>']);
  });

  it('never leave as they came once something in them was masked', () => {
    const exit = new Exit();
    exit.note('a', 'is gh', 'is ');
    exit.letGo(bytes('<is gh>'), [{ from: 1, to: 6, text: 'is ' }]);
    exit.settle(2);
    exit.note('a', '', '');
    exit.letGo(bytes(`<note ${token}>`), [], [{ from: 6, to: 6 + token.length, text: '[mask]' }]);
    exit.settle(2);
    exit.note('a', '', 'gh');
    exit.insert(bytes('<gh>'));
    exit.settle(0);
    expect(taken(exit).text).toBe('<is ><note [mask]><gh>');
  });
});

describe('an answer that a secret ends', () => {
  it('is blocked for good, and the event with text before the secret is its last', () => {
    const exit = new Exit();
    exit.letGo(bytes('<one>'));
    exit.found(found, true);
    expect(exit.blocked).toBe(true);
    exit.letGo(bytes('<use it>'), [{ from: 1, to: 7, text: 'use ' }]);
    exit.letGo(bytes('<stop>'));
    exit.letGo(bytes(`<${token}>`), [{ from: 1, to: 1 + token.length, text: '' }]);
    expect(taken(exit)).toEqual({ text: '<one><use >', findings: found, blocked: true });
    exit.found([], false);
    expect(taken(exit)).toEqual({ text: '', findings: [], blocked: true });
  });

  it('lets out what waited without the text that was not decided', () => {
    const exit = new Exit();
    exit.note('a', 'is gh', 'is ');
    exit.letGo(bytes('<is gh>'), [{ from: 1, to: 6, text: 'is ' }]);
    exit.settle(2);
    exit.found(found, true);
    expect(taken(exit).text).toBe('<is >');
  });
});
