import type { CommandEvent } from '@gateway/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelRefused } from '../agent/types/index.ts';
import type { HttpAnswer } from '../models/http.ts';
import { commandEvents, createGatewayRunner } from './gateway-runner.ts';
import { CommandRefused } from './jobs.ts';

const START = { evenement: 'demarre', identifiant: 'id 1', session: 's', a: '2026-01-01T00:00:00.000Z' };
const END = { evenement: 'fin', code: 0, signal: null, interrompu: false, dureeMs: 1 };
const output = (text: string | Uint8Array, flux = 'stdout') => ({
  evenement: 'sortie',
  flux,
  donnees: Buffer.from(text).toString('base64'),
});
const REQUEST = { command: 'make', session: 's', parentSession: 'p', directory: '/nowhere', readOnly: false };

/** Lines as they arrive over the network, split at arbitrary positions. */
async function* pieces(text: string, after?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 13) yield Buffer.from(text.slice(at, at + 13));
  if (after !== undefined) throw after;
}
const events = (...all: object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');

function runnerWith(answer: Partial<HttpAnswer> | Error) {
  const asked: { readonly url: string; readonly headers: object; readonly body: string }[] = [];
  const runner = createGatewayRunner({
    gateway: 'https://gateway.example/base',
    proof: async () => 'the-key',
    async post(url, headers, body) {
      asked.push({ url, headers, body });
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: {}, body: pieces(''), ...answer };
    },
  });
  const said: string[] = [];
  return { asked, said, started: () => runner.start(REQUEST, (text) => void said.push(text)), runner };
}

describe('the runner of the gateway', () => {
  it('sends the command with its session, its parent and the proof of identity', async () => {
    const { asked, started, runner } = runnerWith({ body: pieces(events(START, END)) });
    await (await started()).ended;
    expect(asked[0]?.url).toBe('https://gateway.example/base/_agent-execution/commands');
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer the-key' });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      session: 's',
      parentSession: 'p',
      interpreteur: 'bash',
      arguments: ['-c', 'make'],
      variablesSupplementaires: expect.objectContaining({ PAGER: 'cat' }),
    });
    expect(runner.location).toBe('the gateway https://gateway.example');
  });

  it('hands on output as it comes, characters that two events share included', async () => {
    const euro = Buffer.from('€');
    const { said, started } = runnerWith({
      body: pieces(
        events(
          START,
          output(euro.subarray(0, 1)),
          output('err', 'stderr'),
          output(euro.subarray(1)),
          { evenement: 'news' },
          { ...END, code: 3 },
        ),
      ),
    });
    expect(await (await started()).ended).toEqual({ code: 3, signal: null });
    expect(said.join('')).toBe('err€');
  });

  it.each([
    ['says why the gateway ended it', events(START, { evenement: 'erreur', message: 'A secret.' }, END), 'A secret.'],
    ['says that the gateway ended it', events(START, { ...END, interrompu: true }), 'The gateway ended it.'],
    [
      'says that the connection was closed',
      events(START),
      'The gateway closed the connection before the command ended.',
    ],
    [
      'does not read on after what is no event',
      `${events(START)}oops\n${events(END)}`,
      'The connection to the gateway broke: it sent a line that is not JSON.',
    ],
  ])('%s', async (_, text, fault) => {
    const { started } = runnerWith({ body: pieces(text) });
    expect((await (await started()).ended).fault).toBe(fault);
  });

  it('reports that the connection broke', async () => {
    const broken = Object.assign(new Error('read'), { code: 'ECONNRESET' });
    const { started } = runnerWith({ body: pieces(events(START), broken) });
    expect((await (await started()).ended).fault).toBe(
      'The connection to the gateway broke: the connection was closed.',
    );
  });

  it('interrupts a command by its identifier', async () => {
    const interrupted = Promise.withResolvers<void>();
    const urls: string[] = [];
    const runner = createGatewayRunner({
      gateway: 'https://gateway.example',
      proof: async () => null,
      async post(url) {
        urls.push(url);
        if (url.endsWith('/interrupt')) {
          interrupted.resolve();
          return { status: 200, headers: {}, body: pieces('') };
        }
        const body = (async function* () {
          yield* pieces(events(START, output('x')));
          await interrupted.promise;
          yield* pieces(events({ ...END, code: null, signal: 'SIGTERM', interrompu: true }));
        })();
        return { status: 200, headers: {}, body };
      },
    });
    const first = Promise.withResolvers<string>();
    const running = await runner.start(REQUEST, first.resolve);
    await first.promise;
    await running.stop();
    expect(await running.ended).toEqual({ code: null, signal: 'SIGTERM' });
    expect(urls.at(-1)).toBe('https://gateway.example/_agent-execution/commands/id%201/interrupt');
  });

  it('gives a refusal in the words of the gateway', async () => {
    const { started } = runnerWith({ status: 501, body: pieces('{"error":"This gateway runs no agent commands."}') });
    await expect(started()).rejects.toEqual(
      new CommandRefused('The gateway did not run the command (501): This gateway runs no agent commands.'),
    );
  });

  it('ends a session that was revoked', async () => {
    const { started } = runnerWith({
      status: 403,
      headers: { 'x-gateway-session-standing': 'revoked' },
      body: pieces('{"error":"Revoked."}'),
    });
    await expect(started()).rejects.toEqual(new ModelRefused('Revoked.', 403, true));
  });

  it('does not run where the gateway cannot be reached', async () => {
    const { started } = runnerWith(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    await expect(started()).rejects.toThrow(
      /^The command was not run: https:\/\/gateway\.example cannot be reached: nothing listens there\..* Your organization's policy lets commands run only there\.$/,
    );
  });
});

async function eventsOf(chunks: readonly Uint8Array[]): Promise<readonly CommandEvent[]> {
  const body = (async function* () {
    yield* chunks;
  })();
  const found: CommandEvent[] = [];
  for await (const event of commandEvents(body)) found.push(event);
  return found;
}
const read = (...lines: readonly string[]) => eventsOf([Buffer.from(lines.map((line) => `${line}\n`).join(''))]);
const start = { evenement: 'demarre', identifiant: 'id', session: 's', a: '2026-01-01T00:00:00.000Z' };
const end = { evenement: 'fin', code: 0, signal: null, interrompu: false, dureeMs: 5 };

describe('the events of a command', () => {
  it('are the same wherever the network divides them, also within a character', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const event = fc.oneof(
      text.map((donnees) => ({ evenement: 'sortie', flux: 'stdout', donnees })),
      text.map((message) => ({ evenement: 'erreur', message })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 5 }),
        fc.array(fc.nat(300), { maxLength: 6 }),
        async (all, cuts) => {
          const bytes = Buffer.from(all.map((one) => `${JSON.stringify(one)}\n`).join(''));
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
          const chunks = places.slice(1).map((place, at) => bytes.subarray(places[at], place));
          expect(await eventsOf(chunks)).toEqual(all);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('have blank lines and unknown events between them, which are left out', async () => {
    const lines = [start, { evenement: 'news' }, { other: 1 }, [], null, 3, 'text', end].map((one) =>
      JSON.stringify(one),
    );
    expect(await read('', ...lines, '  ')).toEqual([start, end]);
  });

  it.each([
    { evenement: 'demarre', identifiant: 7 },
    { evenement: 'sortie', flux: 'stdout' },
    { evenement: 'sortie', flux: 'other', donnees: '' },
    { evenement: 'erreur', message: null },
  ])('without what they need are left out: %j', async (event) => {
    expect(await read(JSON.stringify(event))).toEqual([]);
  });

  it('end with what is known: a code, a signal, or neither', async () => {
    expect(await read('{"evenement":"fin","code":"0","signal":9,"interrompu":"yes","dureeMs":"12"}')).toEqual([
      { evenement: 'fin', code: null, signal: null, interrompu: false, dureeMs: 12 },
    ]);
  });

  it('end where the last line was cut off', async () => {
    expect(await eventsOf([Buffer.from(`${JSON.stringify(start)}\n{"evenement":"fin"`)])).toEqual([start]);
  });

  it('are refused where a line is no JSON, or has no end', async () => {
    await expect(read(JSON.stringify(start), '<html>')).rejects.toThrow('it sent a line that is not JSON');
    const endless = Array.from({ length: 18 }, () => Buffer.alloc(2 ** 20, 'x'));
    await expect(eventsOf(endless)).rejects.toThrow('it sent a line that is too long');
  });
});
