import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOKEN_RULES } from '../scan/catalogue.ts';
import { allowanceOf, type Response } from '../scan/response.ts';
import {
  both,
  catalogue,
  code,
  cut,
  github,
  jwt,
  key,
  PIECES,
  password,
  pem,
  roll,
  run,
} from '../testing/channel-run.ts';
import { dice, draw, specimenOf } from '../testing/specimen.ts';
import { View } from '../verify/view.ts';
import { createChannel, PendingToken } from './channel.ts';
import { createScanner } from './scanner.ts';

describe('a channel gives the same output and findings for every division of the text', () => {
  it.each(PIECES.map((piece, index) => [index, `before ${piece} after\n`] as const))(
    'at every single position (%i)',
    (_, text) => {
      for (const mode of ['mask', 'block', 'alert'] as const) {
        const whole = run([text], mode);
        for (let at = 0; at <= text.length; at++) expect(run([text.slice(0, at), text.slice(at)], mode)).toEqual(whole);
        expect(run(text.split(''), mode)).toEqual(whole);
      }
    },
  );

  it.each([
    // The value of a name glued to a token of its own form; the operator was waited for with the value let go.
    `http://localhost:8080/path?token=abc${draw('A-Za-z0-9', 14, roll)}.atlasv1.${draw('A-Za-z0-9', 65, roll)} http://localhost:8080/path?token=abc`,
    `token == ${password} and token := ${password}`,
    // Escapes make the evidence longer than the most that may wait.
    `password = "${password.replaceAll(/./g, code)}${password.replaceAll(/./g, code)}"`,
    `${github.replaceAll(/./g, code)} ${jwt.replaceAll(/./g, code)} `,
    // They also lengthen the context that decides whether a short line is the last of a key.
    `Private-Lines: 2\n${draw('A-Za-z0-9+/', 64, roll)}${`\n${draw('a-z', 11, roll)}=\n\n\n    \n    \n    Private-MAC: 0123\n`.replaceAll(/[^]/g, code)}`,
  ])('at every single position of texts that once differed (%#)', (text) => {
    for (const mode of ['mask', 'block', 'alert'] as const) {
      const whole = run([text], mode);
      for (let at = 0; at <= text.length; at++) expect(run([text.slice(0, at), text.slice(at)], mode)).toEqual(whole);
      expect(run(text.split(''), mode)).toEqual(whole);
    }
  });

  it('at random positions of random texts', () => {
    assert(
      property(
        array(constantFrom(...PIECES), { maxLength: 8 }),
        array(integer({ min: 0, max: 5000 }), { maxLength: 40 }),
        constantFrom<Response>('mask', 'block', 'alert'),
        (pieces, places, mode) => {
          const text = pieces.join('');
          expect(run(cut(text, places), mode)).toEqual(run([text], mode));
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('a channel finds what a scan of the whole text finds', () => {
  const scanner = createScanner({ key });

  it.each(['amqp://svc:hö-9fK2xQé@db.internal/x', 'api_key = "9HhIVa🔑x7Qw2Lm', '{"token": "Zq8x\\'])('%j', (text) => {
    const { text: left, findings } = run(text.split(''), 'mask');
    const body = scanner.scanBody(Buffer.from(text), 'text/plain');
    expect(findings.map(({ rule, digest }) => [rule, digest])).toEqual(
      body.findings.map(({ rule, digest }) => [rule, digest]),
    );
    expect(left).toBe(Buffer.from(body.mask()).toString());
  });

  it('on random texts', () => {
    assert(
      property(array(constantFrom(...PIECES), { maxLength: 8 }), (pieces) => {
        const text = pieces.join(' ');
        const inStream = run([text], 'mask').findings.map(({ rule, digest }) => ({ rule, digest }));
        expect(inStream).toEqual(scanner.scanText(text).map(({ rule, digest }) => ({ rule, digest })));
      }),
      { numRuns: 300 },
    );
  });

  it.each(TOKEN_RULES.flatMap((rule) => rule.forms.map((form) => [form, rule] as const)))('%s', (form, rule) => {
    const { text } = specimenOf(rule, form, `stream ${form}`);
    const line = `it is ${text} now`;
    const { findings } = run(line.match(/.{1,3}/g) ?? [], 'mask');
    expect(findings.map(({ rule: id, digest }) => [id, digest])).toEqual(
      scanner.scanText(line).map(({ rule: id, digest }) => [id, digest]),
    );
  });
});

describe('a piece that passes', () => {
  it('leaves the channel as if it had been pushed, and any other does not change it', () => {
    assert(
      property(
        array(constantFrom(...PIECES), { maxLength: 10 }),
        array(integer({ min: 0, max: 5000 }), { maxLength: 60 }),
        constantFrom<Response>('mask', 'block', 'alert'),
        (pieces, places, mode) => {
          const options = { catalogue, responses: both(mode), key, allowed: new Set<string>(), pointer: '/x' };
          const pushed = createChannel({ ...options, encoding: 'utf8' });
          const passed = createChannel({ ...options, encoding: 'utf8' });
          for (const piece of cut(pieces.join(' '), places)) {
            const expected = pushed.push(piece);
            const bytes = Buffer.from(`"${piece}"`);
            const step = passed.passes(bytes, 1, bytes.length - 1)
              ? { text: piece, findings: [], blocked: false }
              : passed.push(piece);
            expect(step).toEqual(expected);
            expect(passed.held).toBe(pushed.held);
          }
          expect(passed.end()).toEqual(pushed.end());
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is plain, contains no secret and ends in nothing that may become one', () => {
    const channel = createChannel({
      catalogue,
      responses: both('mask'),
      key,
      allowed: new Set(),
      pointer: null,
      encoding: 'utf8',
    });
    const passes = (text: string): boolean => channel.passes(Buffer.from(text), 0, Buffer.byteLength(text));
    expect(['Nothing ', 'in ', '', 'these words '].every(passes)).toBe(true);
    for (const other of ['gh', 'ü', '\\n', '\n', `${github} `]) expect(passes(other)).toBe(false);
    expect(channel.push(' sk').text).toBe(' ');
    expect(passes('y ')).toBe(false);
    expect(channel.push('y ').text).toBe('sky ');
    expect(passes('is blue ')).toBe(true);
  });
});

describe('what leaves', () => {
  it('is the text with masks, and nothing of the value', () => {
    expect(run([`a ${github} b ${pem} c`], 'mask').text).toBe('a [secret:access-token] b [secret:private-key] c');
  });

  it.each(['tcp(db:3306)', 'unix(/run/mysqld.sock)', '(db)', ''])(
    'contains only the first letters of a password that only later text reveals: @%s/',
    (network) => {
      const secret = `k7Qz9mW2${draw('A-Za-z0-9', 16, roll)}`;
      const { text } = run(`dsn := "svc:${secret}@${network}/app"`.split(''), 'mask');
      expect(text.replace(/svc:\w{0,4}\[/, 'svc:[')).toBe(`dsn := "svc:[secret:connection-string]@${network}/app"`);
    },
  );

  it('is everything in alert mode, at once', () => {
    const channel = createChannel({
      catalogue,
      responses: both('alert'),
      key,
      allowed: new Set(),
      pointer: null,
      encoding: 'utf8',
    });
    expect(channel.push(github).text).toBe(github);
    expect(channel.end().findings).toHaveLength(1);
  });

  it('ends before the secret in block mode, and never continues', () => {
    const channel = createChannel({
      catalogue,
      responses: both('block'),
      key,
      allowed: new Set(),
      pointer: null,
      encoding: 'utf8',
    });
    const step = channel.push(`before ${github} after`);
    expect(step).toMatchObject({ text: 'before ', blocked: true });
    expect(step.findings.map(({ kind }) => kind)).toEqual(['access-token']);
    expect(channel.push('more')).toEqual({ text: '', findings: [], blocked: true });
  });

  it("follows each confidence's own response", () => {
    const channel = createChannel({
      catalogue,
      responses: { high: 'block', medium: 'mask' },
      key,
      allowed: new Set(),
      pointer: null,
      encoding: 'utf8',
    });
    expect(channel.push(`password = "${password}" and `).text).toBe('password = "[secret:entropy]" and ');
    expect(channel.push(`${github} `)).toMatchObject({ text: '', blocked: true });
    const lenient = createChannel({
      catalogue,
      responses: { high: 'mask', medium: 'alert' },
      key,
      allowed: new Set(),
      pointer: null,
      encoding: 'utf8',
    });
    const step = lenient.push(`password = "${password}" and ${github} `);
    expect(step.text).toBe(`password = "${password}" and [secret:access-token] `);
    expect(step.findings.map(({ confidence }) => confidence)).toEqual(['medium', 'high']);
  });

  it('leaves an allowed value alone', () => {
    const allowed = new Set([allowanceOf(Buffer.from(github))]);
    expect(run([`a ${github} b`], 'mask', allowed)).toEqual({ text: `a ${github} b`, findings: [], blocked: false });
  });

  it('never splits a character of two units', () => {
    const channel = createChannel({
      catalogue,
      responses: both('mask'),
      key,
      allowed: new Set(),
      pointer: null,
      encoding: 'utf8',
    });
    const texts = 'x 🔑 y'.split('').map((unit) => channel.push(unit).text);
    for (const text of texts) expect(text).toBe(Buffer.from(text).toString());
  });
});

describe('what waits', () => {
  it('is nothing in ordinary text, and never more than 256 characters', () => {
    assert(
      property(array(constantFrom(...PIECES), { maxLength: 12 }), integer({ min: 1, max: 9 }), (pieces, size) => {
        const channel = createChannel({
          catalogue,
          responses: both('mask'),
          key,
          allowed: new Set(),
          pointer: null,
          encoding: 'utf8',
        });
        for (const delta of pieces.join(' ').match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []) {
          channel.push(delta);
          expect(channel.held).toBeLessThanOrEqual(256);
        }
        channel.end();
        expect(channel.held).toBe(0);
      }),
      { numRuns: 200 },
    );
    const prose = createChannel({
      catalogue,
      responses: both('mask'),
      key,
      allowed: new Set(),
      pointer: null,
      encoding: 'utf8',
    });
    for (const word of 'Nothing in these words needs to wait for the next one. '.match(/\S+\s/g) ?? []) {
      expect(prose.push(word).text).toBe(word);
    }
  });
});

function viewOf(text: string): View {
  const view = new View();
  view.bytes = Buffer.from(text);
  view.end = view.bytes.length;
  return view;
}

/** How much waits after each byte of a text. */
function waiting(text: string): number[] {
  const view = viewOf(text);
  const pendingToken = new PendingToken();
  return [...view.bytes].map((_, at) => pendingToken.lengthAt(view, at + 1));
}

describe('a run at the end of a text', () => {
  it.each(['Nothing in these words waits.', 'const camelCaseName = other_name;', 'version 24.21.0, utf8, 3306'])(
    'does not wait: %s',
    (text) => {
      expect(waiting(text).every((length) => length === 0)).toBe(true);
    },
  );

  it('waits as a whole from where it reads as generated, until it ends', () => {
    const held = waiting(`${draw('0-9', 2, dice('digits'))}${draw('A-Za-z0-9', 28, dice('pendingToken'))} `);
    expect(held.slice(0, 3)).toEqual([0, 0, 0]);
    expect(held[29]).toBe(30);
    expect(held[30]).toBe(0);
  });

  it('waits as hexadecimal digits too, unless they are more than any form has, or a colour', () => {
    expect(waiting('8f14e45fceea167a').at(-1)).toBe(16);
    expect(waiting('8f14e45fceea167a8f14e45fceea167a8f14e').at(-1)).toBe(0);
    expect(waiting('color: #8f14e4').at(-1)).toBe(0);
    expect(waiting('#8f14e4ff').at(-1)).toBe(0);
    expect(waiting('#8f14e45fceea').at(-1)).toBe(12);
  });

  it('waits as hexadecimal digits behind a path, without the path', () => {
    expect(waiting('/v3/lists/8f14e45fceea167a').at(-1)).toBe(16);
    expect(waiting('/v3/lists/8f14e45fceea167a8f14e45fceea167a8f14e').at(-1)).toBe(0);
    expect(waiting('/v3/lists/123456789012').at(-1)).toBe(0);
    expect(waiting('/v3/lists/8f14').at(-1)).toBe(0);
  });

  it.each(['"integrity": "sha512-', 'sha256:', 'image@sha256:', 'data:font/woff2;base64,', 'sha384-'])(
    'does not wait where a hash or encoded data is announced: %s',
    (announcement) => {
      const run = `9x${draw('A-Za-z0-9', 60, dice('announced'))}`;
      expect(Math.max(...waiting(`${announcement}${run}`))).toBeLessThanOrEqual(6);
      expect(waiting(`${announcement}${run}" ${run}`).at(-1)).toBe(62);
    },
  );

  it.each(['sha3x-', 'sha256 ', 'nosha256:', 'SHA512-'])('waits after anything else: %s', (word) => {
    expect(waiting(`${word}9x${draw('A-Za-z0-9', 60, dice('announced'))}`).at(-1)).toBe(62);
  });

  it('never waits longer than any form is', () => {
    const held = waiting(`9x${draw('A-Za-z0-9', 300, dice('long'))}`);
    expect(Math.max(...held)).toBe(76);
    expect(held.at(-1)).toBe(0);
  });

  it('waits the same for every division, with any earlier text dropped', () => {
    const roll = dice('places');
    const part = constantFrom('a', '7', ' ', '-', 'Zq8x', draw('A-Za-z0-9', 30, roll), draw('a-f0-9', 20, roll));
    assert(
      property(
        array(part, { maxLength: 12 }),
        array(integer({ min: 0, max: 400 }), { maxLength: 30 }),
        (parts, places) => {
          const text = parts.join('');
          const expected = waiting(text);
          const pendingToken = new PendingToken();
          const view = viewOf(text);
          let dropped = 0;
          for (const place of places) {
            const at = place % Math.max(1, text.length);
            // A run is at most 76 bytes: dropped text is further back.
            if (at >= text.length || at < dropped + (dropped > 0 ? 80 : 0)) continue;
            expect(pendingToken.lengthAt(view, at - dropped + 1)).toBe(expected[at]);
            const droppable = Math.max(0, at - dropped - 100);
            view.drop(droppable);
            pendingToken.drop(droppable);
            dropped += droppable;
          }
        },
      ),
    );
  });
});
