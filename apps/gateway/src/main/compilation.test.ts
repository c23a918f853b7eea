import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { COMPILATION } from './compilation.ts';

/** Where V8 does not know a flag, it writes a line of its own to standard error and goes on: a new Node must not bring that about. */
describe('the flags of the compilation', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });

  test.each(COMPILATION)('%s is known to this V8, and less than its own number', (flag) => {
    const [name = '', value = ''] = flag.split('=');
    const own = new RegExp(`default: ${name}=(\\d+)`).exec(known)?.[1];
    expect(Number(value)).toBeLessThan(Number(own));
  });
});
