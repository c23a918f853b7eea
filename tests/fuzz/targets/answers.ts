import { startRawEngine } from '../../../apps/gateway/src/testing/raw-engine.ts';
import { CLIENTS, outcomeOf } from '../../../apps/gateway/src/upstream/testing/clients.ts';
import { mutated } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const INPUTS = [
  `${OK}content-type: application/json\r\ncontent-length: 4\r\n\r\n{"a"`,
  `${OK}content-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n`,
  `${OK}transfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n6;x="y"\r\nsecond\r\n0\r\nx-trailer: z\r\n\r\n`,
  `${OK}transfer-encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
  `${OK}connection: close\r\n\r\nuntil the end`,
  `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\ncontent-length: 1\r\n\r\nx`,
  `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n',
].map((text) => Buffer.from(text));
const WORDS = [
  OK,
  'HTTP/1.1 100 Continue\r\n\r\n',
  'content-length: 3\r\n',
  'Content-Length: 4\r\n',
  'transfer-encoding: chunked\r\n',
  'transfer-encoding: identity\r\n',
  'connection: close\r\n',
  ' chunked',
  ', chunked',
  '0\r\n\r\n',
  '5\r\n',
  '00005\r\n',
  ';a=b',
  '\r\n ',
];

/** Answers of providers: what the relay's own client takes, undici takes too, and reads the same in it. */
export const answers: Target = {
  name: 'answers',
  share: 3,
  concurrency: 4,
  async open() {
    const waiting = new Map<string, Buffer>();
    let cases = 0;
    const engine = await startRawEngine((socket, head) => {
      socket.end(waiting.get(/^GET \/(\d+) /.exec(head)?.[1] ?? '') ?? Buffer.alloc(0));
    });
    const [plain, undici] = [CLIENTS.plain(engine.url), CLIENTS.undici(engine.url)];
    return {
      async run(random) {
        const bytes = mutated(INPUTS, random, WORDS);
        const name = String((cases += 1));
        waiting.set(name, bytes);
        const own = await outcomeOf(plain, { path: `/${name}` });
        const other = await outcomeOf(undici, { path: `/${name}` });
        waiting.delete(name);
        if (own.error !== null) return 'refused';
        if (other.error !== null) throw new Finding(`Undici refuses it: ${other.error.message}.`, bytes);
        if (JSON.stringify(own) !== JSON.stringify(other))
          throw new Finding(`Undici reads ${JSON.stringify(other)} instead of ${JSON.stringify(own)}.`, bytes);
        return 'accepted';
      },
      async close() {
        await Promise.all([plain.destroy(), undici.destroy()]);
        await engine.stop();
      },
    };
  },
};
