import net from 'node:net';

/**
 * The benchmark's engine: a separate process that answers chat completions from prepared bytes, so that only the path to it is
 * measured. A body with `"stream":true` gets 100 events at once; with `"paced":true` one every 2 ms, each with its send time
 * (`process.hrtime`, one clock for all processes of the machine).
 */
const EVENTS = 100;
const PACE_MS = 2;
const PLAIN = (() => {
  const body = JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1,
    model: 'bench-model',
    system_fingerprint: 'bench',
    choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(80) }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 200, completion_tokens: 80, total_tokens: 280 },
  });
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
})();
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const event = (content: string): string =>
  chunk(
    `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`,
  );
const STREAM_END = `${chunk('data: {"choices":[],"usage":{"prompt_tokens":200,"completion_tokens":100,"total_tokens":300}}\n\n')}${chunk('data: [DONE]\n\n')}0\r\n\r\n`;
const BURST = Buffer.from(STREAM_HEAD + event('word ').repeat(EVENTS) + STREAM_END);

function pace(socket: net.Socket): void {
  socket.write(STREAM_HEAD);
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer);
    if (sent === EVENTS) {
      clearInterval(timer);
      socket.write(STREAM_END);
      return;
    }
    sent += 1;
    socket.write(event(`@${process.hrtime.bigint()}@`));
  }, PACE_MS);
}

/** Bytes of the first whole request in `data` (0: not there yet). Understands content-length and chunked bodies. */
function requestLength(data: Buffer): number {
  const headEnd = data.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  const head = data.toString('latin1', 0, headEnd).toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length !== undefined) {
    const end = headEnd + 4 + Number(length);
    return data.length >= end ? end : 0;
  }
  if (!head.includes('\r\ntransfer-encoding: chunked')) return headEnd + 4;
  const end = data.indexOf('\r\n0\r\n\r\n', headEnd + 2);
  return end < 0 ? 0 : end + 7;
}

const server = net.createServer((socket) => {
  socket.setNoDelay(true);
  let pending: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data]);
    for (let length = requestLength(pending); length > 0; length = requestLength(pending)) {
      const request = pending.subarray(0, length);
      pending = pending.subarray(length);
      if (request.includes('"paced":true')) pace(socket);
      else socket.write(request.includes('"stream":true') ? BURST : PLAIN);
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '');
});
process.once('disconnect', () => process.exit(0));
