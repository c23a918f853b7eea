import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Hub, openHub } from './hub.ts';
import { readJsonLines } from './json-lines.ts';

let folder: string;
let hub: Hub | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-hub-'));
  hub = null;
});
afterEach(() => {
  hub?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('is restricted to its own user, and replaces the socket of a killed process', async () => {
  writeFileSync(join(folder, 'workers-4194305.sock'), ''); // no process has this number
  hub = await openHub(folder, () => () => {});
  expect(readdirSync(folder)).toEqual([`workers-${process.pid}.sock`]);
  expect(statSync(hub.path).mode & 0o777).toBe(0o600);
});

it('selects the server by the first line, and reads lines in pieces or together', async () => {
  const taken: unknown[] = [];
  const all = Promise.withResolvers<void>();
  hub = await openHub(folder, (_, first) => {
    taken.push(first);
    return (value) => {
      taken.push(value);
      if (taken.length === 4) all.resolve();
    };
  });
  const socket = connect(hub.path);
  const bytes = Buffer.from('{"ask":"é"}\n{"n":1}\n{"n":2}\n{"n":3}\n');
  socket.write(bytes.subarray(0, 9)); // within a character
  await once(socket, 'connect');
  socket.write(bytes.subarray(9));
  await all.promise;
  expect(taken).toEqual([{ ask: 'é' }, { n: 1 }, { n: 2 }, { n: 3 }]);
  socket.destroy();
});

it('cuts off what does not speak as a worker does', async () => {
  const taken: unknown[] = [];
  hub = await openHub(folder, (_, first) => {
    taken.push(first);
    return () => {};
  });
  const socket = connect(hub.path);
  socket.write('GET / HTTP/1.1\r\n');
  await once(socket.resume(), 'close');
  expect(taken).toEqual([]);
});

it('leaves the data after the lines to another reader', async () => {
  hub = await openHub(folder, (socket) => {
    socket.write('{"done":true}\n');
    return () => void socket.end('the output');
  });
  const socket = connect(hub.path);
  const reply = await new Promise((resolve) => {
    const stop = readJsonLines(socket, (value) => {
      stop();
      resolve(value);
    });
    socket.write('{"ask":"start"}\n');
  });
  expect(reply).toEqual({ done: true });
  socket.write('{"order":"run"}\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toBe('the output');
});
