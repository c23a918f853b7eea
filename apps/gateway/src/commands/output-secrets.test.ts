import { array, assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN } from '../testing/inspector.ts';
import { eventsOf, outputOf } from './testing/events.ts';
import { makeWorkdir } from './testing/run.ts';
import { type Staging, stage as staged } from './testing/stage.ts';

let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
beforeEach(async () => {
  workdir = await makeWorkdir();
});
afterEach(() => workdir.remove());

const stage = (more: Staging = {}) => staged(workdir.path, more);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const MASK = { response: 'mask' } as const;

/** A command that writes these pieces, one a turn, and ends by itself. */
async function written(pieces: readonly { flux: 'stdout' | 'stderr'; data: Buffer }[], more: Staging = {}) {
  const command = stage(more);
  const events = eventsOf(command.caller);
  for (const { flux, data } of pieces) {
    command[flux].write(data);
    await turn();
  }
  command.stdout.end();
  command.stderr.end();
  await turn();
  command.end();
  return { ...command, events: await events, record: await command.run.ended };
}
const onStdout = (...pieces: (string | Buffer)[]) =>
  pieces.map((piece) => ({ flux: 'stdout' as const, data: Buffer.from(piece) }));

describe('what looks like a secret in the output of a command', () => {
  it('without a policy, ends the output before it, interrupts the command and reports the cause to the caller', async () => {
    const { caller, stdout, stderr, asked, found, end, run } = stage();
    const events = eventsOf(caller);
    stdout.write(`the key is ${TOKEN.slice(0, 20)}`);
    await turn();
    expect(asked).toEqual([]);
    stdout.write(`${TOKEN.slice(20)} and more`);
    await turn();
    expect(asked).toEqual(['terminate']);
    stdout.write('more');
    stderr.write('and more on the other output');
    await turn();
    end({ code: null, signal: 'SIGTERM' });
    expect((await events).slice(1)).toEqual([
      { evenement: 'sortie', flux: 'stdout', donnees: Buffer.from('the key is ').toString('base64') },
      {
        evenement: 'erreur',
        message: 'The output carries what looks like a secret (access-token), so the command was ended.',
        code: 'secret-detected',
        kinds: ['access-token'],
      },
      { evenement: 'fin', code: null, signal: 'SIGTERM', interrompu: true, dureeMs: expect.any(Number) },
    ]);
    expect((await run.ended).cause).toBe('secret');
    expect(found).toMatchObject([{ flux: 'stdout', kind: 'access-token', rule: 'github-token', start: 11 }]);
    expect(JSON.stringify(found)).not.toContain(TOKEN.slice(4, 12));
  });

  // commands-13
  it('is masked where the policy says so, and the command continues', async () => {
    const pieces = onStdout(`A=${TOKEN.slice(0, 9)}`, `${TOKEN.slice(9)}\n`, 'done\n');
    const { events, asked, found, record } = await written(pieces, { policy: MASK });
    expect(outputOf(events, 'stdout').toString()).toBe('A=[secret:access-token]\ndone\n');
    expect(asked).toEqual([]);
    expect(found).toHaveLength(1);
    expect(record).toMatchObject({ cause: null, written: { stdout: TOKEN.length + 8 } });
  });

  it('passes where the policy says alert, and is logged for the operator', async () => {
    const { events, found } = await written(onStdout(`A=${TOKEN}\n`), { policy: { response: 'alert' } });
    expect(outputOf(events, 'stdout').toString()).toBe(`A=${TOKEN}\n`);
    expect(found).toMatchObject([{ kind: 'access-token', start: 2, length: TOKEN.length }]);
  });

  it('is masked where only its name identifies it and the policy does not block such values', async () => {
    const value = ['x9Kq', 'T2vLp8', 'RzW4mB7n', 'Jd5Y'].join('');
    const said = onStdout(`client_secret = "${value}"\n`);
    const lenient = await written(said, { policy: { response: 'block' } });
    expect(outputOf(lenient.events, 'stdout').toString()).toBe('client_secret = "[secret:entropy]"\n');
    expect(lenient.record.cause).toBeNull();
    const strict = await written(said, { policy: { response: 'block', entropy: true } });
    expect(strict.record.cause).toBe('secret');
    const blind = await written(said, { policy: { response: 'block', entropy: false } });
    expect(outputOf(blind.events, 'stdout').toString()).toBe(`client_secret = "${value}"\n`);
  });

  it('is found although the other output speaks in between', async () => {
    const [first, second] = [TOKEN.slice(0, 15), TOKEN.slice(15)];
    const pieces = [
      { flux: 'stdout' as const, data: Buffer.from(first) },
      { flux: 'stderr' as const, data: Buffer.from('a warning\n') },
      { flux: 'stdout' as const, data: Buffer.from(second) },
    ];
    const { events } = await written(pieces, { policy: MASK });
    expect(outputOf(events, 'stdout').toString()).toBe('[secret:access-token]');
    expect(outputOf(events, 'stderr').toString()).toBe('a warning\n');
  });

  // commands-5
  it('is not looked for where no output is passed on', async () => {
    const { found, record } = await written(onStdout(TOKEN), { silent: true });
    expect([found, record.cause]).toEqual([[], null]);
  });

  it('counts as the reason even where the command was already being interrupted', async () => {
    const { caller, stdout, run, asked, end } = stage();
    const events = eventsOf(caller);
    run.stop('interrupted');
    stdout.write(`leaving ${TOKEN} behind`);
    await turn();
    end({ code: 1 });
    expect(outputOf(await events, 'stdout').toString()).toBe('leaving ');
    expect((await events).at(-2)).toMatchObject({ evenement: 'erreur', code: 'secret-detected' });
    expect(asked).toEqual(['terminate']);
  });
});

describe('output that waits to be decided', () => {
  it('is the beginning of what may be a secret, and leaves at the end', async () => {
    const { caller, stdout, end } = stage();
    const events = eventsOf(caller);
    stdout.write('a gh');
    await turn();
    await turn();
    stdout.end();
    await turn();
    end();
    expect((await events).slice(1, -1).map((event) => ('donnees' in event ? atob(event.donnees) : null))).toEqual([
      'a ',
      'gh',
    ]);
  });

  it('leaves on an interruption, though the output was never closed', async () => {
    const { caller, stdout, run, end } = stage();
    const events = eventsOf(caller);
    stdout.write(`half: ${TOKEN.slice(0, 12)}`);
    await turn();
    run.stop('interrupted');
    end({ code: null, signal: 'SIGTERM' });
    expect(outputOf(await events, 'stdout').toString()).toBe(`half: ${TOKEN.slice(0, 12)}`);
  });

  it('is at most 256 bytes for any output', async () => {
    const { caller, stdout, run, end } = stage({ policy: MASK, limits: { output: 2 ** 20 } });
    let out = 0;
    caller.on('data', (line) => {
      for (const each of String(line).trimEnd().split('\n')) {
        const { donnees } = JSON.parse(each) as { donnees?: string };
        if (donnees !== undefined) out += Buffer.byteLength(donnees, 'base64');
      }
    });
    let sent = 0;
    for (const piece of [
      'password = "',
      'x'.repeat(100),
      '\\'.repeat(500),
      'token: ',
      'Bearer ',
      'sk-',
      'q'.repeat(900),
    ]) {
      stdout.write(piece);
      sent += piece.length;
      await turn();
      await turn();
      expect(sent - out).toBeLessThanOrEqual(256);
    }
    stdout.end();
    await turn();
    end();
    await run.ended;
    await turn();
    expect(out).toBe(sent);
  });
});

describe('the output of a command is the same for every division into pieces', () => {
  const PIECES = [
    TOKEN,
    `postgres://svc:${TOKEN.slice(4, 26)}@db.internal/app`,
    `{"token":"${TOKEN}"}`,
    'plain words\n',
    'ghp_',
    'é 🔑 ü',
    '\\u0067',
    '"',
    '\u001b[31mred\u001b[0m',
  ];
  const BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

  const cut = (whole: Buffer, places: readonly number[]) => {
    const sorted = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((one, other) => one - other);
    return [0, ...sorted].map((place, at) => whole.subarray(place, sorted[at] ?? whole.length));
  };
  const outcome = async (pieces: Buffer[], policy: Staging['policy']) => {
    const { events, found, record } = await written(onStdout(...pieces), { policy: policy ?? null });
    return { output: outputOf(events, 'stdout').toString('latin1'), found, cause: record.cause };
  };

  it.each([null, MASK, { response: 'alert' } as const])('under the policy %j, texts and bytes', async (policy) => {
    await assert(
      asyncProperty(
        array(constantFrom<string | Buffer>(...PIECES, BYTES), { maxLength: 6 }),
        array(integer({ min: 0, max: 2000 }), { maxLength: 12 }),
        async (pieces, places) => {
          const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
          expect(await outcome(cut(whole, places), policy)).toEqual(await outcome([whole], policy));
        },
      ),
      { numRuns: 40, verbose: true },
    );
  });

  it('and the very bytes of the command where nothing is found: no text, no whole characters needed', async () => {
    const said = Buffer.concat([
      BYTES,
      Buffer.from('Zürich 東京 🔑\n'),
      Buffer.from([0xc3, 0xf0, 0x9f]),
      BYTES.toReversed(),
    ]);
    for (const size of [1, 2, 3, 64, 5000]) {
      const pieces = said.toString('latin1').match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const { events } = await written(onStdout(...pieces.map((piece) => Buffer.from(piece, 'latin1'))));
      expect(outputOf(events, 'stdout').equals(said)).toBe(true);
    }
  });
});
