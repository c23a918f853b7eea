import { createHash, verify } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { legible } from '@gateway/contract/legible';
import { readVerificationKey, SigningKeyFault, type VerificationKey } from '@gateway/ledger';
import { FIXES, readText } from '../../files/reading.ts';
import type { Context } from '../../process/context.ts';
import { pathFrom } from '../../process/environment.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { pluralize } from '../../process/pluralize.ts';
import * as s from '../../schema/index.ts';
import { EXIT } from '../command/command.ts';
import { compareVersions, isVersion } from './options.ts';

interface Options {
  readonly bundle: string;
  readonly key: string | null;
  readonly current: string | null;
  readonly json: boolean;
}

export async function runVerify({ environment, terminal }: Context, options: Options): Promise<number> {
  const { bundle, current, json } = options;
  const folder = pathFrom(environment, bundle);
  const sealed = await readSealed(folder);
  if (sealed === null) {
    throw new CommandFailed(`${bundle} is not a release bundle: release.json or release.json.sig is missing.`);
  }
  if (options.key === null)
    throw new WrongUsage('--key is missing. Give the public key of the publisher: --key PUBLIC.pem.');
  const key = await readKey(pathFrom(environment, options.key), options.key);
  const { version, files, faults } = await verifyBundle(folder, sealed, key, current);
  const digest = createHash('sha256').update(sealed.manifest).digest('hex');
  const ok = faults.length === 0;
  if (json) await terminal.write(`${JSON.stringify({ ok, version, digest, files, faults })}\n`);
  else if (ok)
    await terminal.write(
      `${bundle} matches its signature: version ${version}, ${pluralize(files, 'file')}, digest ${digest}\n`,
    );
  for (const { fault, file, message } of faults) terminal.report(`gw: ${fault}: ${legible(file)}: ${message}\n`);
  return ok ? EXIT.done : EXIT.failed;
}

async function readKey(path: string, shown: string): Promise<VerificationKey> {
  const read = await readText(path);
  if (read.state !== 'read')
    throw new WrongUsage(`--key ${shown} cannot be read (${read.state}). ${FIXES[read.state]}`);
  try {
    return readVerificationKey(read.text);
  } catch (error) {
    if (error instanceof SigningKeyFault) throw new WrongUsage(`--key ${shown} ${error.message}.`);
    throw error;
  }
}

/** What a bundle says about itself, and the signature over exactly these bytes (Ed25519, 64 bytes). */
const MANIFEST = 'release.json';
const SIGNATURE = 'release.json.sig';

/** A path below the bundle: relative, with `/`, and without `.`, `..` and empty parts. */
const path = s
  .string()
  .refine((text) => !/[\\\0]/.test(text) && text.split('/').every((part) => !['', '.', '..'].includes(part)));

const manifestShape = s.strictObject({
  format: s.literal('gateway-release/1'),
  name: s.string(),
  version: s.string().refine(isVersion),
  files: s.array(
    s.strictObject({
      path,
      /** Bytes. */
      size: s.integer({ min: 0 }),
      /** Of the content, hexadecimal. */
      sha256: s.string().refine((text) => /^[0-9a-f]{64}$/.test(text)),
    }),
  ),
});
type Manifest = s.Infer<typeof manifestShape>;

/** Null where the text is no manifest, or names a file twice. */
export function parseManifest(text: string): Manifest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const manifest = manifestShape.valueOf(value);
  if (manifest === null) return null;
  const names = new Set(manifest.files.map((file) => file.path));
  const reserved = names.has(MANIFEST) || names.has(SIGNATURE);
  return names.size === manifest.files.length && !reserved ? manifest : null;
}

/** What is wrong with a bundle, and the file it is about. */
interface BundleFault {
  readonly fault: 'no-bundle' | 'signature' | 'rollback' | 'changed' | 'missing' | 'extra';
  /** Relative to the bundle. */
  readonly file: string;
  /** A sentence. */
  readonly message: string;
}

interface VerifiedBundle {
  /** Null where the manifest cannot be trusted. */
  readonly version: string | null;
  readonly files: number;
  /** Empty where the bundle is as it was signed. */
  readonly faults: readonly BundleFault[];
}

const LARGEST_MANIFEST = 64 * 2 ** 20;

/** The two files that every bundle has; null if the folder contains none. */
export interface Sealed {
  readonly manifest: Buffer;
  readonly signature: Buffer;
}

export async function readSealed(folder: string): Promise<Sealed | null> {
  const [manifest, signature] = await Promise.all([MANIFEST, SIGNATURE].map((name) => readPlain(join(folder, name))));
  return manifest == null || signature == null ? null : { manifest, signature };
}

async function readPlain(path: string): Promise<Buffer | null> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= LARGEST_MANIFEST ? await file.readFile() : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/**
 * Verifies a bundle without the network: the signature first, for nothing that the manifest says counts without it; then
 * that the version is not behind the current one; then every file, and that there is no other.
 * @param current the version that is in use; null checks no rollback.
 */
export async function verifyBundle(
  folder: string,
  { manifest: bytes, signature }: Sealed,
  { key }: VerificationKey,
  current: string | null,
): Promise<VerifiedBundle> {
  if (signature.length !== 64 || !verify(null, bytes, key, signature)) {
    return rejectBundle('The signature does not match: another key signed this bundle, or release.json was changed.');
  }
  const manifest = parseManifest(bytes.toString('utf8'));
  if (manifest === null) return rejectBundle('This version of gw cannot read the signed manifest. Update gw.');
  const { version, files } = manifest;
  const faults: BundleFault[] = [];
  if (current !== null && compareVersions(version, current) < 0) {
    const message = `The bundle has version ${version}, which is older than ${current}: installing it would be a rollback.`;
    faults.push({ fault: 'rollback', file: MANIFEST, message });
  }
  return { version, files: files.length, faults: [...faults, ...(await fileFaults(folder, manifest))] };
}

function rejectBundle(message: string): VerifiedBundle {
  return { version: null, files: 0, faults: [{ fault: 'signature', file: MANIFEST, message }] };
}

async function fileFaults(folder: string, { files }: Manifest): Promise<readonly BundleFault[]> {
  const faults: BundleFault[] = [];
  const known = new Set([MANIFEST, SIGNATURE]);
  for (const { path, size, sha256 } of files) {
    known.add(path);
    const stats = await lstat(join(folder, path)).catch(() => null);
    if (stats === null) faults.push({ fault: 'missing', file: path, message: 'The file is missing.' });
    else if (!stats.isFile()) faults.push({ fault: 'changed', file: path, message: 'It is not a plain file.' });
    else if (stats.size !== size || (await digestOf(join(folder, path))) !== sha256) {
      faults.push({ fault: 'changed', file: path, message: 'The content was changed.' });
    }
  }
  for (const path of await entriesOf(folder)) {
    if (!known.has(path))
      faults.push({ fault: 'extra', file: path, message: 'The file does not belong to the bundle.' });
  }
  return faults;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** Everything below a folder but the folders themselves; links are not followed. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
