import { once } from 'node:events';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import { legible } from '@gateway/contract/legible';
import {
  COSIGNATURE,
  cosign,
  createSigner,
  isKeyName,
  judgeCheckpoint,
  NoteFault,
  type NoteKey,
  partsOfOrigin,
  readAddCheckpoint,
  readPrivateNoteKey,
  readTreeCheckpoint,
  type Signer,
  SigningKeyFault,
  type TreeCheckpoint,
  toNoteKey,
  type WitnessRefusal,
  writeNoteKey,
} from '@gateway/ledger';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { readText } from '../context/find.ts';
import { LOGS } from '../journal/logs.ts';
import { readNoteKeysGiven } from '../journal/trust.ts';

export interface JournalWitnessOptions {
  readonly listen: string;
  readonly state: string;
  /** Keys of logs in note form, or files with such keys. */
  readonly log: readonly string[];
  /** File of the witness's private key: PEM, or in note form. */
  readonly key: string;
  readonly name?: string;
}

const DEFAULT_NAME = 'witness.local';

function readKey(file: string, given: string | undefined): { readonly name: string; readonly signer: Signer } {
  const text = readText(file).trim();
  try {
    const key = text.startsWith('PRIVATE+KEY+')
      ? readPrivateNoteKey(text)
      : { name: DEFAULT_NAME, signer: createSigner(text) };
    return { ...key, name: given ?? key.name };
  } catch (error) {
    if (error instanceof SigningKeyFault || error instanceof NoteFault)
      throw new CommandFailed(`${file} ${error.message}.`);
    throw error;
  }
}

function listenerOf(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  if (host === '' || Number(port) > 65_535)
    throw new WrongUsage('--listen takes an address and a port: 127.0.0.1:7380.');
  return { host, port: Number(port) };
}

/**
 * `journal witness --listen HOST:PORT --state DIR --log NOTE-KEY… --key FILE`: a witness for an auditor's machine. It cosigns a
 * checkpoint only where a proof shows that it continues the last one, so that a fork shown to two people is found. It runs until
 * it is stopped, and uses neither the database nor the gateway.
 */
export async function runJournalWitness(context: Context, options: JournalWitnessOptions): Promise<void> {
  const { name, signer } = readKey(options.key, options.name);
  if (!isKeyName(name)) throw new WrongUsage('--name takes a name without white space and plus signs.');
  const keys = options.log.flatMap(readNoteKeysGiven);
  const report = (line: string) => context.terminal.report(`${line}\n`);
  const state = openWitnessState(options.state);
  const server = createWitness({ name, signer, keys, state, report });
  const { host, port } = listenerOf(options.listen);
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new CommandFailed(`--listen: ${options.listen} cannot be used (${errorCode(error)}).`);
  });
  const noteKey = writeNoteKey(toNoteKey(name, signer.publicKey, COSIGNATURE));
  const address = server.address() as AddressInfo;
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  const closed = once(server, 'close');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await print(context, { address: url, key: noteKey }, [`Witness ${noteKey} at ${url}`]);
  await closed;
  process.off('SIGTERM', stop);
  process.off('SIGINT', stop);
}

interface WitnessOptions {
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

/** The last checkpoint of each log that a witness cosigned, one file for each. */
interface WitnessState {
  /** Null where none is known. */
  read(origin: string): TreeCheckpoint | null;
  /** Durable once it returns: a witness that was killed never knows less than it has answered. */
  write(checkpoint: TreeCheckpoint): void;
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function replace(directory: string, path: string, text: string): void {
  const beside = `${path}.writing`;
  const descriptor = openSync(beside, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(beside, path);
  sync(directory);
}

/** @throws CommandFailed where the directory cannot be used. */
export function openWitnessState(directory: string): WitnessState {
  const known = new Map<string, TreeCheckpoint | null>();
  const pathOf = (origin: string) => join(directory, `${Buffer.from(origin).toString('base64url')}.checkpoint`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    sync(directory);
  } catch (error) {
    throw new CommandFailed(`--state: ${directory} cannot be used (${errorCode(error)}).`);
  }

  function load(origin: string): TreeCheckpoint | null {
    const path = pathOf(origin);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
    try {
      return readTreeCheckpoint(text);
    } catch (error) {
      // Without its last checkpoint a witness would cosign a fork.
      if (error instanceof NoteFault) throw new CommandFailed(`${path} is damaged: restore it. ${error.message}`);
      throw error;
    }
  }

  return {
    read(origin) {
      const found = known.get(origin);
      if (found !== undefined) return found;
      const loaded = load(origin);
      known.set(origin, loaded);
      return loaded;
    },
    write(checkpoint) {
      // Where it fails, the file decides: the old checkpoint, or the new one.
      known.delete(checkpoint.origin);
      replace(directory, pathOf(checkpoint.origin), checkpoint.note);
      known.set(checkpoint.origin, checkpoint);
    },
  };
}
