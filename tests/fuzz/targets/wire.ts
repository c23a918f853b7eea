import type { Random } from '../../support/random.ts';
import { mutated } from '../mutate.ts';
import { Finding, type Outcome, type Target } from '../target.ts';
import { startWireWorld, type WireWorld } from '../wire-world.ts';

const BODY = '{"model":"any","messages":[{"role":"user","content":"Hello"}]}';

/** Whole requests with this proof of identity. */
function requestsWith(proof: string): readonly Buffer[] {
  const head = (line: string, more = ''): string => `${line} HTTP/1.1\r\nHost: gateway\r\n${proof}${more}`;
  const sized = `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
  const post = head('POST /chat/v1/chat/completions', sized);
  return [
    post,
    head('GET /chat/v1/models', 'Accept: */*\r\n\r\n'),
    head('POST /chat/x', `Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`),
    head('POST /chat/x', `Expect: 100-continue\r\n${sized}`),
    head('GET /v/1.0.0/x', '\r\n'),
    head('POST /_agent-execution', sized),
    head('POST /ide/acts', sized),
    head('GET /chat/x', 'X-Forwarded-For: 10.0.0.1\r\nConnection: keep-alive, x-api-key\r\n\r\n'),
    `${head('GET /chat/x', '\r\n')}${post}`,
  ].map((text) => Buffer.from(text, 'latin1'));
}

const WORDS = [
  'Content-Length: 5\r\n',
  'Content-Length: +3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip\r\n',

  'Connection: close\r\n',
  'Connection: upgrade\r\nUpgrade: h2c\r\n',
  'Host: evil.example\r\n',
  ' HTTP/1.0\r\n',
  'PRI * HTTP/2.0',

  'Authorization: Basic Og==\r\n',
  'X-Api-Key: x\r\n',
  '/../',
  'http://evil.example/',
  'CONNECT evil:443',
  '\r\n x: folded',
  'X-Gateway-Session: s\r\n',
  'Expect: 100-continue\r\n',
  '0\r\n\r\n',
  'ffffffffffffffff\r\n',
];

async function send(world: WireWorld, inputs: readonly Buffer[], random: Random): Promise<Outcome> {
  const bytes = mutated(inputs, random, WORDS);
  const at = random.below(bytes.length + 1);
  const text = await world.send(random.below(2) === 0 ? [bytes] : [bytes.subarray(0, at), bytes.subarray(at)]);
  if (text !== '' && !text.startsWith('HTTP/1.1 ')) throw new Finding(`Answered with ${text.slice(0, 80)}.`, bytes);
  if (text.startsWith('HTTP/1.1 500 ')) throw new Finding('Answered with 500.', bytes);
  return /^HTTP\/1\.1 (?:100 Continue\r\n\r\nHTTP\/1\.1 )?2/.test(text) ? 'accepted' : 'refused';
}

async function serves(world: WireWorld): Promise<boolean> {
  const proof = `Authorization: Bearer ${world.key}\r\nConnection: close\r\n`;
  return world.isRunning() && (await world.send(requestsWith(proof).slice(0, 1), 30_000)).startsWith('HTTP/1.1 200 ');
}

/** Requests without a valid proof of identity: not one reaches the engine. */
export const unproven: Target = {
  name: 'wire without a key',
  share: 1,
  concurrency: 16,
  async open() {
    const world = await startWireWorld();
    const proofs = [
      '',
      `Authorization: Bearer gwk_${'0'.repeat(48)}\r\n`,
      "X-Api-Key: ' OR '1'='1\r\n",
      'Authorization: Bearer eyJhbGciOiJub25lIn0.e30.\r\n',
    ];
    const inputs = proofs.flatMap(requestsWith);
    return {
      run: (random) => send(world, inputs, random),
      async check() {
        const [first] = world.takeRelayed();
        if (first !== undefined) throw new Error(`A request without a key reached the engine: ${first.url}`);
        if (!(await serves(world))) throw new Error('The gateway does not serve.');
        world.takeRelayed(); // of this look
      },
      heldBytes: () => world.heldBytes(),
      close: () => world.close(),
    };
  },
};

/**
 * Requests with a key: every request that reaches the engine was granted, goes to the declared address, and contains no
 * credential.
 */
export const proven: Target = {
  name: 'wire with a key',
  share: 1,
  concurrency: 16,
  async open() {
    const world = await startWireWorld();
    const { key, engineHost } = world;
    const inputs = [`Authorization: Bearer ${key}\r\n`, `X-Api-Key: ${key}\r\n`].flatMap(requestsWith);
    let relayed = 0;
    return {
      run: (random) => send(world, inputs, random),
      async check() {
        if (!(await serves(world))) throw new Error('The gateway does not serve.');
        for (const { url, host, headers } of world.takeRelayed()) {
          relayed += 1;
          if (host !== engineHost) throw new Error(`The engine was asked as ${host}.`);
          if (!/^\/base(?:[/?]|$)/.test(url)) throw new Error(`The engine was asked for ${url}.`);
          if (headers.includes(key)) throw new Error('The key of the caller reached the engine.');
        }
        const granted = await world.granted();
        if (relayed > granted) throw new Error(`${relayed} requests reached the engine, and ${granted} were granted.`);
      },
      heldBytes: () => world.heldBytes(),
      close: () => world.close(),
    };
  },
};
