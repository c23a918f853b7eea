import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSigningKey, signingKeyFault } from './signing-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'signing-key-'));
afterAll(() => rmSync(folder, { recursive: true }));
const signerOf = (file: string) => {
  const opened = openSigningKey(file);
  if ('fault' in opened) throw new Error(opened.fault);
  return opened.signer;
};

// log-6
it('a key is made at the first start, for its owner alone, and found at the next', () => {
  const file = join(folder, 'deep', 'key.pem');
  const made = signerOf(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  expect(signerOf(file).keyId).toBe(made.keyId);
});

it('a new key is reported with its id, and an existing one is not', () => {
  const file = join(folder, 'new', 'key.pem');
  const opened = openSigningKey(file);
  const id = 'signer' in opened ? opened.signer.keyId : '';
  expect(opened).toMatchObject({
    notice: `GATEWAY_SIGNING_KEY_FILE: ${file} did not exist and was created, with the key ${id}. Give its public key to the auditors: gatewayctl journal keys`,
  });
  expect(openSigningKey(file)).toMatchObject({ notice: null });
});

it('a file without a key is a fault that names it, and is not changed', () => {
  const file = join(folder, 'other.pem');
  writeFileSync(file, 'something else');
  const opened = openSigningKey(file);
  expect(opened).toEqual({ fault: expect.stringMatching(/^GATEWAY_SIGNING_KEY_FILE: .*other\.pem .*\.$/) });
  expect(readFileSync(file, 'utf8')).toBe('something else');
});

it('a path where no file can be made is a fault with its reason', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(openSigningKey(join(folder, 'file', 'key.pem'))).toEqual({
    fault: expect.stringMatching(/can be neither read nor created \((ENOTDIR|EEXIST)\)\.$/),
  });
});

it('a path where no file can be made is found before anything is made', () => {
  expect(signingKeyFault(join(folder, 'file', 'deep', 'key.pem'))).toMatch(
    /^GATEWAY_SIGNING_KEY_FILE: .* can be neither read nor created \(ENOTDIR\)\.$/,
  );
  expect(signingKeyFault(join(folder, 'not', 'yet', 'key.pem'))).toBeNull();
});

/** Opens the keys `0` to `rounds` of a folder, one after the other, and prints what it signs with, or why it does not. */
const PROGRAM = `
  const { openSigningKey } = await import(process.argv[1]);
  const [folder, rounds] = process.argv.slice(2);
  process.stdin.once('data', () => {
    for (let round = 0; round < Number(rounds); round += 1) {
      const opened = openSigningKey(folder + '/' + round + '/key.pem');
      console.log(opened.fault ?? opened.signer.keyId);
    }
    process.exit();
  });
  console.log('ready');`;
const SOURCE = new URL('./signing-key.ts', import.meta.url).href;
const words = (place: string, rounds: number): string[] => [
  '--input-type=module',
  '--eval',
  PROGRAM,
  SOURCE,
  place,
  String(rounds),
];

it('several processes that start concurrently on one file sign with one key, which no process reads before it is complete', async () => {
  const place = mkdtempSync(join(folder, 'together-'));
  const rounds = 200;
  const processes = Array.from({ length: 4 }, () => {
    const child = spawn(process.execPath, words(place, rounds), { stdio: ['pipe', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
    return {
      child,
      ready: once(child.stdout, 'data'),
      ended: once(child, 'close'),
      lines: () => said.trim().split('\n'),
    };
  });
  await Promise.all(processes.map(({ ready }) => ready));
  for (const { child } of processes) child.stdin.write('go\n');
  await Promise.all(processes.map(({ ended }) => ended));
  const keys = Array.from({ length: rounds }, (_, round) => signerOf(join(place, String(round), 'key.pem')).keyId);
  for (const { lines } of processes) expect(lines()).toEqual(['ready', ...keys]);
  expect(readdirSync(join(place, '0'))).toEqual(['key.pem']);
}, 60_000);

it('a disk that accepts only a part of a key leaves no file that would break the next start', () => {
  const place = mkdtempSync(join(folder, 'full-'));
  const shell = ['-c', 'ulimit -f 0 && exec "$0" "$@"', process.execPath, ...words(place, 1)];
  const ran = spawnSync('sh', shell, { input: 'go\n', encoding: 'utf8' });
  expect(ran.stdout).toMatch(/GATEWAY_SIGNING_KEY_FILE: .* can be neither read nor created \(EFBIG\)\./);
  expect(readdirSync(join(place, '0'))).toEqual([]);
  expect(signerOf(join(place, '0', 'key.pem')).keyId).toMatch(/./);
});
