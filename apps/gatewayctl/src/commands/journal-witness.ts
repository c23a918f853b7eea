import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { errorCode } from '@gateway/contract/error-code';
import {
  COSIGNATURE,
  createSigner,
  isKeyName,
  NoteFault,
  readPrivateNoteKey,
  type Signer,
  SigningKeyFault,
  toNoteKey,
  writeNoteKey,
} from '@gateway/ledger';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { readNoteKeysGiven } from '../journal/trust.ts';
import { createWitness, openWitnessState } from '../journal/witness.ts';
import { readText } from '../operator/find.ts';

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
