import { type IncomingMessage, request } from 'node:http';
import { median } from '../load/statistics.ts';
import { residentMemory } from '../peers/program.ts';
import { event, type HeldEngine } from './engine.ts';

export interface StreamsOptions {
  readonly port: number;
  readonly pid: number;
  readonly path: string;
  readonly keyOf: (stream: number) => string;
  readonly count: number;
  /** Events that each stream gets, one after the other. */
  readonly events: number;
}

export interface StreamsMeasured {
  /** Resident memory of the gateway that one open stream costs. */
  readonly kilobytesPerStream: number;
  /** Milliseconds from an event's writing at the engine until every reader has it: median over the events. */
  readonly eventToAllMs: number;
  /** The same while one reader reads nothing of a stream of 64 MiB. */
  readonly besideSlowReaderMs: number;
  /** Megabytes by which the gateway grew for that reader. */
  readonly slowReaderMB: number;
}

const BODY = JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
/** Streams that begin at the same time. */
const AT_ONCE = 16;
const SLOW_MIB = 64;
const MEBIBYTE = 'a b c d '.repeat(2 ** 17);

function open({ port, path, keyOf }: StreamsOptions, stream: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${keyOf(stream)}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(BODY),
    };
    const outgoing = request({ agent: false, host: '127.0.0.1', port, path, method: 'POST', headers });
    outgoing.once('error', reject).once('response', resolve);
    outgoing.end(BODY);
  });
}

/** Resolves once every reader has seen the text of an event. */
function reach(readers: readonly { seen: (text: string) => Promise<void> }[], number: number): Promise<unknown> {
  return Promise.all(readers.map(({ seen }) => seen(`event ${number} `)));
}

function readerOf(incoming: IncomingMessage) {
  let all = '';
  let waiting: { readonly text: string; readonly done: () => void } | null = null;
  const look = (): void => {
    if (waiting === null || !all.includes(waiting.text)) return;
    all = '';
    waiting.done();
    waiting = null;
  };
  incoming.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    look();
  });
  incoming.on('error', () => {});
  return {
    seen: (text: string) =>
      new Promise<void>((done) => {
        waiting = { text, done };
        look();
      }),
  };
}

/** Opens streams, sends every one the same events one by one, and looks at memory and flow. */
export async function measureStreams(engine: HeldEngine, options: StreamsOptions): Promise<StreamsMeasured> {
  const { pid, count, events } = options;
  const before = residentMemory(pid);
  const incoming: IncomingMessage[] = [];
  while (incoming.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - incoming.length) }, (_, at) => incoming.length + at);
    incoming.push(...(await Promise.all(some.map((stream) => open(options, stream)))));
  }
  const readers = incoming.map(readerOf);
  const streams = engine.streams.slice();
  let number = 0;
  const round = async (): Promise<number> => {
    number += 1;
    const begun = performance.now();
    const reached = reach(readers, number);
    for (const stream of streams) stream.write(event(number));
    await reached;
    return performance.now() - begun;
  };
  const rounds = async (): Promise<number> => {
    const times: number[] = [];
    for (let left = events; left > 0; left -= 1) times.push(await round());
    return median(times);
  };
  const eventToAllMs = await rounds();
  const open_ = residentMemory(pid);
  const slow = await open(options, count);
  const poured = engine.streams[count];
  for (let left = SLOW_MIB; left > 0; left -= 1)
    poured?.write(`data: {"choices":[{"delta":{"content":"${MEBIBYTE}"}}]}\n\n`);
  const besideSlowReaderMs = await rounds();
  const slowReaderMB = residentMemory(pid) - open_;
  for (const one of [slow, ...incoming]) one.destroy();
  return { kilobytesPerStream: ((open_ - before) * 1024) / count, eventToAllMs, besideSlowReaderMs, slowReaderMB };
}
