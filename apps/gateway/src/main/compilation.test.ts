import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { THRESHOLDS, YOUNG_OBJECTS } from './compilation.ts';

/** V8 writes a line to standard error for an unknown flag and continues: a new Node must not cause that. */
describe('the flags of the compilation', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });

  test.each(THRESHOLDS)('%s is a flag of this V8, and below its default', (flag) => {
    const [name = '', value = ''] = flag.split('=');
    const own = new RegExp(`default: ${name}=(\\d+)`).exec(known)?.[1];
    expect(Number(value)).toBeLessThan(Number(own));
  });

  test('V8 has what the last one switches off, and would do it', () => {
    expect(known).toContain(`default: ${YOUNG_OBJECTS.replace('--no-', '--')}\n`);
  });
});
