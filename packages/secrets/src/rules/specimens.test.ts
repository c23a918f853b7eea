import { describe, expect, it } from 'vitest';
import { TOKEN_RULES } from '../scan/catalogue.ts';
import { createScanner } from '../stream/scanner.ts';
import { specimenOf } from '../testing/specimen.ts';

const scanner = createScanner({ key: Buffer.from('specimens') });
const ROUNDS = 20;

/** A value that its form shares with a public key, or with a word of documentation, and that is therefore none. */
const PUBLIC = /^(?:pk|pub|public|client|site)_|my_?secret/;

describe('generated values of every form', () => {
  it('are found whole, but for one in fifty thousand', () => {
    const missed: string[] = [];
    let made = 0;
    for (const rule of TOKEN_RULES) {
      for (const form of rule.forms) {
        for (let round = 0; round < ROUNDS; round++) {
          const { text, value } = specimenOf(rule, form, `many ${rule.id} ${form} ${round}`);
          if (PUBLIC.test(value)) continue;
          made++;
          const line = `it is ${text} now`;
          const [from, to] = [line.indexOf(value), line.indexOf(value) + value.length];
          if (!scanner.scanText(line).some(({ start, end }) => start <= from && end >= to))
            missed.push(`${form} ${value}`);
        }
      }
    }
    expect(made).toBeGreaterThan(10_000);
    expect(missed).toEqual([]);
  });

  it.each(['-§', '+§', '--§', '<!--§-->', '§--', '(§)', '"§",', '[§](', '§.md:12'])(
    'are found whole, but for one in a hundred, in %s',
    (around) => {
      const missed: string[] = [];
      let made = 0;
      for (const rule of TOKEN_RULES) {
        const { text, value } = specimenOf(rule, rule.forms[0] ?? '', `around ${rule.id}`);
        if (PUBLIC.test(value) || text !== value) continue;
        made++;
        const line = `see\n${around.replace('§', value)} now`;
        const [from, to] = [line.indexOf(value), line.indexOf(value) + value.length];
        if (!scanner.scanText(line).some(({ start, end }) => start <= from && end >= to))
          missed.push(`${rule.id} ${value}`);
      }
      expect(made).toBeGreaterThan(100);
      expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(made / 100);
    },
  );

  it.each(['sandbox_', 'live_'])('are found whole where two forms begin alike: %s', (begin) => {
    const value = `${begin}IGPUPXxfmTjfH3wnpaEPEZxGWLaDPC-Akpn3o2Uu`;
    const line = `it is ${value} now`;
    expect(scanner.scanText(line).map(({ rule, start, end }) => [rule, line.slice(start, end)])).toEqual([
      ['gocardless-token', value],
    ]);
  });
});
