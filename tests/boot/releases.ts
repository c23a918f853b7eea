import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigner, type Signer } from '../../packages/ledger/src/index.ts';
import { run } from './image.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLANTED = 'create table planted (id uuid primary key);\n';

interface Manifest {
  version: string;
  files: { path: string; size: number; sha256: string }[];
}

async function keyPair(folder: string, name: string, ended: AbortSignal) {
  const [privateKey, publicKey] = [join(folder, `${name}-private.pem`), join(folder, `${name}.pem`)];
  await run(ended, 'openssl', 'genpkey', '-algorithm', 'ed25519', '-out', privateKey);
  await run(ended, 'openssl', 'pkey', '-in', privateKey, '-pubout', '-out', publicKey);
  return { privateKey, publicKey };
}

/**
 * What an operator gets: a release in `gateway`, the next one in `gateway-later`, the publisher's public key and a license.
 * @param folder where they are written
 */
export async function makeReleases(folder: string, keys: string, ended: AbortSignal): Promise<void> {
  for (const path of [folder, keys]) mkdirSync(path);
  const publisher = await keyPair(keys, 'publisher', ended);
  const vendor = await keyPair(keys, 'vendor', ended);
  const release = join(folder, 'gateway');
  const vendorKey = `GATEWAY_LICENSE_PUBLIC_KEY_FILE=${vendor.publicKey}`;
  const command = ['toolchain/release.ts', '--out', release, '--key', publisher.privateKey];
  await run(ended, 'env', `--chdir=${ROOT}`, vendorKey, process.execPath, ...command);
  const words = ['license', 'issue', '--licensee', 'Acme', '--deployment', 'boot', '--signing-key', vendor.privateKey];
  const license = join(folder, 'license.jws');
  await run(ended, 'sh', '-c', '"$@" >"$0"', license, join(release, 'bin/gatewayctl'), ...words);
  cpSync(publisher.publicKey, join(folder, 'publisher.pem'));
  makeLater(release, join(folder, 'gateway-later'), createSigner(readFileSync(publisher.privateKey, 'utf8')));
}

/** The release after this one: a version higher, with one more migration. */
function makeLater(release: string, later: string, signer: Signer): void {
  cpSync(release, later, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(later, 'release.json'), 'utf8')) as Manifest;
  manifest.version = `${manifest.version}-later`;
  const changed = new Set<string>();
  const write = (path: string, text: string): void => {
    writeFileSync(join(later, path), text);
    changed.add(path);
  };
  const known = readdirSync(join(later, 'on-premise/migrations')).length;
  write(`on-premise/migrations/${String(known + 1).padStart(4, '0')}_planted.sql`, PLANTED);
  for (const program of ['gateway', 'console', 'gatewayctl']) {
    const path = `on-premise/${program}-program.js`;
    const text = readFileSync(join(later, path), 'utf8');
    const written = `SCHEMA_VERSION=${known}`;
    if (!text.includes(written)) throw new Error(`${path} does not contain ${written}.`);
    write(path, text.replace(written, `SCHEMA_VERSION=${known + 1}`));
  }
  const described = [...changed].map((path) => describe(later, path));
  const files = manifest.files.filter(({ path }) => path !== 'SHA256SUMS' && !changed.has(path)).concat(described);
  writeFileSync(join(later, 'SHA256SUMS'), files.map(({ sha256, path }) => `${sha256}  ${path}\n`).join(''));
  manifest.files = [describe(later, 'SHA256SUMS'), ...files];
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(join(later, 'release.json'), text);
  writeFileSync(join(later, 'release.json.sig'), signer.sign(Buffer.from(text)));
}

function describe(folder: string, path: string) {
  const bytes = readFileSync(join(folder, path));
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
