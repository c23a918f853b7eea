import http from 'node:http';
import { Pool } from 'undici';

/** The least a Node proxy can do: `node:http` in, undici's dispatch with raw headers out. It checks and records nothing. */
const engine = process.argv[2] ?? '';
const pool = new Pool(engine, { connections: 256, pipelining: 1 });
const DROPPED = new Set(['host', 'connection', 'transfer-encoding', 'content-length', 'keep-alive']);

const server = http.createServer((request, response) => {
  const headers: string[] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (!DROPPED.has(name.toLowerCase())) headers.push(name, request.rawHeaders[index + 1] ?? '');
  }
  pool.dispatch(
    { method: 'POST', path: request.url ?? '/', headers, body: request },
    {
      onConnect: () => undefined,
      onError: () => response.destroy(),
      onHeaders: (status, raw, resume) => {
        const answered: string[] = [];
        for (let index = 0; index < raw.length; index += 2) {
          const name = raw[index]?.toString('latin1') ?? '';
          if (!DROPPED.has(name.toLowerCase()) || name.toLowerCase() === 'content-length')
            answered.push(name, raw[index + 1]?.toString('latin1') ?? '');
        }
        response.writeHead(status, answered);
        response.on('drain', resume);
        return true;
      },
      onData: (part) => response.write(part),
      onComplete: () => {
        response.end();
      },
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '');
});
process.once('disconnect', () => process.exit(0));
