import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { createScanner } from './scanner.ts';

const scanner = createScanner({ key: Buffer.from('beginnings') });

/** How many characters wait after a text. */
function held(text: string): number {
  const channel = scanner.channel({ high: 'mask', medium: 'mask' }, null);
  channel.push(text);
  return channel.held;
}

describe('the beginning of a form', () => {
  it.each([
    ['it is ghp', 3],
    ['it is sk-', 3],
    ['a --', 2],
    ['-----BEGIN RSA', 14],
    ['"pat', 3],
    ['the path', 4],
  ])('waits: %j', (text, count) => {
    expect(held(text)).toBe(count);
  });

  it.each(['the packag', 'on github', 'these paths', 'a pattern', 'xghp', 'var(--'])(
    'does not wait when it is a word, or the middle of one: %j',
    (text) => {
      expect(held(text)).toBe(0);
    },
  );

  it('waits again when the word begins a form after all, and only the word has left', () => {
    const random = draw('A-Za-z0-9', 22, dice('fine'));
    const token = `github_pat_${random}_${draw('A-Za-z0-9', 59, dice('grained'))}`;
    const channel = scanner.channel({ high: 'mask', medium: 'mask' }, null);
    const steps = `on ${token} `.split('').map((letter) => channel.push(letter));
    const text = steps.map((step) => step.text).join('') + channel.end().text;
    expect(text).toBe('on github[secret:access-token] ');
    const [finding] = steps.flatMap(({ findings }) => findings);
    expect(finding).toMatchObject({ rule: 'github-fine-grained-token', start: 3, length: token.length });
  });
});
