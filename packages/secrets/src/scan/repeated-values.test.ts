import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScanner } from '../stream/scanner.ts';
import { dice, draw } from '../testing/specimen.ts';

const scanner = createScanner({ key: Buffer.from('elsewhere') });
const roll = dice('elsewhere');
const password = draw('A-Za-z0-9', 16, roll);
const token = `ghp_${draw('A-Za-z0-9', 36, roll)}`;

function masked(text: string): string {
  return Buffer.from(scanner.scanBody(Buffer.from(text), 'text/plain').mask()).toString();
}

describe('the value of a finding that occurs in the text again', () => {
  it('is masked there too, before and after, and named as the same rule', () => {
    const text = `tried ${password}\npostgres://svc:${password}@db/app\n| ${password} |`;
    const found = scanner.scanText(text);
    expect(found.map(({ rule }) => rule)).toEqual(['url-password', 'url-password', 'url-password']);
    expect(new Set(found.map(({ digest }) => digest)).size).toBe(1);
    const mask = '[secret:connection-string]';
    expect(masked(text)).toBe(`tried ${mask}\npostgres://svc:${mask}@db/app\n| ${mask} |`);
  });

  it("is masked as the user's name", () => {
    const text = `amqp://smqgwlkp:smqgwlkp@mq/x`;
    expect(masked(text)).not.toContain('smqgwlkp');
  });

  it('is masked in another way of writing', () => {
    const body = Buffer.from(
      JSON.stringify({ a: `redis://:${password}+x@c/0`, b: JSON.stringify({ c: `${password}+x` }) }),
    );
    const report = scanner.scanBody(body, 'application/json');
    expect(report.findings.map(({ pointer }) => pointer)).toEqual(['/a', '/b']);
  });

  it('is left where it is part of a longer word', () => {
    const text = `redis://:${password}@c/0 x${password} ${password}9`;
    expect(scanner.scanText(text)).toHaveLength(1);
  });

  it('is left when it is short, reads like a word, or was found by its name alone', () => {
    expect(scanner.scanText('ftps://svc:Qx7kz@h/ Qx7kz')).toHaveLength(1);
    expect(scanner.scanText('redis://:traverse9x@c/0 the traverse9x')).toHaveLength(1);
    expect(scanner.scanText(`api_key = "${password}"\n${password}`)).toHaveLength(1);
  });

  it('is looked for past the end of a slice', () => {
    const filler = 'words and words '.repeat(70_000);
    expect(scanner.scanText(`redis://:${password}@c/0 ${filler}${password} `)).toHaveLength(2);
    const edge = 512 * 1024 - 8;
    const text = `redis://:${password}@c/0 `.padEnd(edge, 'word ');
    expect(scanner.scanText(`${text.slice(0, -1)} ${password} `)).toHaveLength(2);
  });

  it('returns findings in order, without overlaps', () => {
    const pieces = [`redis://:${password}@c/0`, password, token, `/${token}x/`, ' ', '\n', `token=${token}`, '|'];
    assert(
      property(array(constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let end = 0;
        for (const finding of scanner.scanText(text)) {
          expect(finding.start).toBeGreaterThanOrEqual(end);
          end = finding.end;
        }
        expect(scanner.scanText(masked(parts.join(' ')))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('stays linear: only some values are looked for', () => {
    const many = Array.from({ length: 400 }, () => `ghp_${draw('A-Za-z0-9', 36, roll)}`);
    expect(scanner.scanText(many.join(' '))).toHaveLength(400);
  });
});
