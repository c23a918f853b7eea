import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { legible } from '@gateway/contract/legible';
import {
  cosign,
  judgeCheckpoint,
  type NoteKey,
  partsOfOrigin,
  readAddCheckpoint,
  type Signer,
  type WitnessRefusal,
} from '@gateway/ledger';
import { LOGS } from '../journal/logs.ts';
import type { WitnessState } from './state.ts';

export interface WitnessOptions {
  /** Name and key of the witness. */
  readonly name: string;
  readonly signer: Signer;
  /** Keys of the logs that it watches. */
  readonly keys: readonly NoteKey[];
  readonly state: WitnessState;
  readonly report: (line: string) => void;
}

/** Bytes of a request: a checkpoint with 100 signatures and 63 steps is shorter. */
const LONGEST = 64 * 1024;

/** Milliseconds until a request must be there. */
const PATIENCE = 10_000;

interface WitnessReply {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

const STATUS: Readonly<Record<WitnessRefusal, number>> = {
  'unknown-origin': 404,
  'bad-signature': 403,
  smaller: 400,
  conflict: 409,
  'bad-proof': 422,
};

const SENTENCE: Readonly<Record<WitnessRefusal, string>> = {
  'unknown-origin': 'This witness does not watch the log of this checkpoint.',
  'bad-signature': 'No known key of the log signed the checkpoint.',
  smaller: 'The old size is above the size of the checkpoint.',
  conflict: 'The old size is not the one that this witness knows, or the log of this size has another root.',
  'bad-proof': 'The proof does not show that the checkpoint continues the log.',
};

/** The keys that may sign checkpoints of an origin: those of its name, for the logs of the gateway, and for the name itself. */
function keysOf(origin: string, keys: readonly NoteKey[]): readonly NoteKey[] {
  const { name, chain } = partsOfOrigin(origin);
  const isLog = LOGS.some((one) => one === chain);
  return keys.filter((key) => key.name === origin || (isLog && key.name === name));
}

/** Synchronous from the state it reads to the state it writes: of two requests at once, the second sees the first. */
function addCheckpoint(body: string, { name, signer, keys, state, report }: WitnessOptions): WitnessReply {
  const request = readAddCheckpoint(body);
  if (request === null) return { status: 400, text: 'This is no add-checkpoint request of C2SP tlog-witness.\n' };
  const { checkpoint } = request;
  const own = keysOf(checkpoint.origin, keys);
  const known = own.length === 0 ? null : state.read(checkpoint.origin);
  const refusal = judgeCheckpoint(request, own, known);
  if (refusal === null) {
    state.write(checkpoint);
    return { status: 200, text: cosign(checkpoint.text, name, signer, Math.floor(Date.now() / 1000)) };
  }
  const isFork = refusal === 'bad-proof' || (refusal === 'conflict' && known?.size === checkpoint.size);
  if (isFork && request.oldSize === known?.size) {
    report(`${legible(checkpoint.origin)}: a checkpoint of size ${checkpoint.size} was refused. ${SENTENCE[refusal]}`);
  }
  if (refusal === 'conflict') return { status: 409, text: `${known?.size ?? 0}\n`, type: 'text/x.tlog.size' };
  return { status: STATUS[refusal], text: `${SENTENCE[refusal]}\n` };
}

/** Null where the body is longer than any request. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status, text, type = 'text/plain; charset=utf-8' }: WitnessReply): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

async function handle(request: IncomingMessage, response: ServerResponse, options: WitnessOptions): Promise<void> {
  if (request.url !== '/add-checkpoint')
    return send(response, { status: 404, text: 'Only /add-checkpoint is here.\n' });
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return send(response, { status: 405, text: 'POST a checkpoint.\n' });
  }
  const body = await bodyOf(request);
  if (body !== null) return send(response, addCheckpoint(body, options));
  response.setHeader('connection', 'close');
  send(response, { status: 413, text: `A request has at most ${LONGEST} bytes.\n` });
}

/** The server of a witness (C2SP tlog-witness). */
export function createWitness(options: WitnessOptions): Server {
  const server = createServer((request, response) => {
    handle(request, response, options).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return; // the client left
      options.report(`A checkpoint could not be cosigned: ${error instanceof Error ? error.message : String(error)}`);
      if (!response.headersSent) send(response, { status: 500, text: 'The witness could not keep the checkpoint.\n' });
    });
  });
  server.requestTimeout = PATIENCE;
  server.headersTimeout = PATIENCE;
  server.maxConnections = 256;
  return server;
}
