// Receives the logs of a gateway and prints one line for each decision: when, who, what, and the result.
// Start it, then set GATEWAY_LOG_EXPORT_URL=syslog+tcp://127.0.0.1:PORT for the gateway. In production use syslog+tls.
// Each message is `<length> <syslog header> - <OCSF event as JSON>`; the length counts bytes (RFC 6587, octet counting).
import { createServer } from 'node:net';
import process from 'node:process';

const port = Number(process.argv[2] ?? 5514);

/** Whole messages at the beginning of some bytes, and what is left. */
function cut(bytes) {
  const messages = [];
  for (;;) {
    const space = bytes.indexOf(0x20);
    const length = space < 0 ? Number.NaN : Number(bytes.subarray(0, space).toString());
    if (Number.isNaN(length) || bytes.length < space + 1 + length) return { messages, rest: bytes };
    messages.push(bytes.subarray(space + 1, space + 1 + length).toString());
    bytes = bytes.subarray(space + 1 + length);
  }
}

function print(message) {
  const event = JSON.parse(message.slice(message.indexOf('{')));
  const time = new Date(event.time).toISOString();
  const who = event.actor?.user?.name ?? event.actor?.user?.uid ?? 'unknown';
  console.log(
    [time, event.metadata.log_name ?? event.class_name, who, event.status, event.status_code ?? ''].join('  '),
  );
}

createServer((socket) => {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    const { messages, rest: left } = cut(Buffer.concat([rest, chunk]));
    rest = left;
    for (const message of messages) print(message);
  });
  socket.on('error', ({ message }) => console.error(message));
}).listen(port, '127.0.0.1', function listening() {
  console.error(`Waits for a gateway on port ${this.address().port}.`);
});
