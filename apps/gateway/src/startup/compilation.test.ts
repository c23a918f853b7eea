import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { COMPILATION } from './compilation.ts';

/** V8 passes over a flag it does not know without a word, so a new Node could undo them unnoticed. */
describe('the flags of the compilation', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });

  test.each(COMPILATION)('%s is known to this V8, and less than its own number', (flag) => {
    const [name = '', value = ''] = flag.split('=');
    const own = new RegExp(`default: ${name}=(\\d+)`).exec(known)?.[1];
    expect(Number(value)).toBeLessThan(Number(own));
  });
});
