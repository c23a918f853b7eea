import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ArchiveManifest, CheckpointFault, readArchiveManifest } from '@gateway/ledger';
import { digestOf } from '../archive/file.ts';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { verifyExported } from '../journal/exported.ts';
import { LOGS } from '../journal/logs.ts';
import { type Keys, keysIn } from '../journal/trust.ts';

async function manifestOf(path: string, keys: Keys): Promise<ArchiveManifest> {
  const text = await readFile(`${path}.manifest`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${path}.manifest cannot be read (${error.code}).`);
  });
  try {
    return readArchiveManifest(text, keys);
  } catch (error) {
    if (error instanceof CheckpointFault) throw new CommandFailed(`${path}.manifest: ${error.message}`);
    throw error;
  }
}

/**
 * `archive-verify FILE…`: each file against its signed manifest, and the decision log's chain across its files, in the order given.
 * Needs no database.
 */
export async function runArchiveVerify(
  context: Context,
  files: readonly string[],
  { publicKey }: { readonly publicKey: readonly string[] },
): Promise<void> {
  const keys = await keysIn(publicKey);
  const found = [];
  for (const path of files) {
    const manifest = await manifestOf(path, keys);
    const same = manifest.file === basename(path) && manifest.sha256 === (await digestOf(path));
    if (!same) throw new CommandFailed(`${path} is not the file that its manifest describes: it was changed.`);
    found.push({ path, ...manifest });
  }
  const chained = found.filter(({ log }) => log === 'decisions').map(({ path }) => path);
  if (chained.length > 0) {
    const [, result] = await verifyExported(context, { files: chained, after: null, logs: LOGS }, publicKey, null);
    if (!result.ok) throw new CommandFailed(`The chain is not valid: ${result.sentence}`);
  }
  const lines = found.map(({ path, log, entries }) => `${path}: intact, ${entries} of ${log}.`);
  await print(context, { ok: true, files: found }, lines);
}
