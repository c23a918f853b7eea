import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine } from '../support/machine.ts';
import { readOptions } from '../support/options.ts';
import { CHECKS, type Check } from './checks.ts';
import { baseImage, missingHere, PROGRAMS, writeDisk } from './image.ts';
import { bootMachine, type Machine } from './machine.ts';
import { makeReleases } from './releases.ts';

const PACKAGES = [...new Set(PROGRAMS.map(([, package_]) => package_))];

const HELP = `Usage: npm run boot -- [options]

Boots Debian 12 with systemd and PostgreSQL in QEMU's software emulation, without a network. Installs a release with the units of
deploy/systemd, by the commands of the manual. Checks start, first call, restart after SIGKILL, renewed certificates, several
gateways, a new version, a reboot, hardening and the journal. It takes a quarter of an hour.

It needs root, 4 GB of memory, 6 GB of disk, and these packages: ${PACKAGES.join(' ')}.
The first run makes the disk with debootstrap, which needs Debian's package archive, and keeps it in .cache/boot (4 GB, mostly empty).

Options:
  --keep           keeps the disk of the machine and its console's log, and prints where they are
  --json FILE      writes the report
  --list           prints the names of the checks
  --help           prints this text

Ctrl+C or SIGTERM ends the machine and deletes what was made.

Exit code 1: a check failed. Exit code 2: wrong usage, or something is missing here.`;

interface Result {
  readonly check: string;
  /** Null where it passed. */
  readonly cause: string | null;
  readonly note: string | null;
  readonly seconds: number;
}

/** Runs the checks in their order. One that the others need ends the run if it fails. */
async function runChecks(booted: Machine, ended: AbortSignal): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const check of CHECKS) {
    const result = await resultOf(check, booted);
    ended.throwIfAborted();
    results.push(result);
    const outcome = result.cause === null ? ['passed', result.note ?? []].flat().join(', ') : `failed: ${result.cause}`;
    process.stdout.write(`${check.name}: ${outcome} (${result.seconds} s)\n`);
    if (result.cause !== null && check.isNeeded === true) break;
  }
  return results;
}

async function resultOf(check: Check, booted: Machine): Promise<Result> {
  const start = performance.now();
  const { cause, note } = await check.run(booted).then(
    (text) => ({ cause: null, note: text }),
    (error: Error) => ({ cause: error.message, note: null }),
  );
  return { check: check.name, cause, note, seconds: Math.round((performance.now() - start) / 1000) };
}

async function boot(folder: string, ended: AbortSignal): Promise<readonly Result[]> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const base = await baseImage(join(import.meta.dirname, '../../.cache/boot'), ended, say);
  say('Making the releases.');
  const media = join(folder, 'media');
  const releases = join(folder, 'releases.raw');
  await makeReleases(media, join(folder, 'keys'), ended);
  await writeDisk(media, releases, '2G', ended);
  rmSync(media, { recursive: true });
  say('Booting the machine.');
  const booted = await bootMachine({ base, releases, folder }, ended);
  try {
    return await runChecks(booted, ended);
  } finally {
    await booted.close();
  }
}

const { given, usageError } = readOptions('boot', HELP, { keep: { type: 'boolean' }, list: { type: 'boolean' } });
if (given.list) {
  process.stdout.write(`${CHECKS.map(({ name }) => name).join('\n')}\n`);
} else {
  const missing = missingHere();
  if (missing !== null) usageError(missing);
  const end = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end.abort());
  const folder = mkdtempSync(join(tmpdir(), 'gateway-boot-'));
  try {
    const results = await boot(folder, end.signal);
    const failed = results.filter(({ cause }) => cause !== null).length;
    const skipped = CHECKS.length - results.length;
    if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify({ ...machine(), results }, null, 2)}\n`);
    process.stdout.write(`${results.length - failed} passed, ${failed} failed`);
    process.stdout.write(skipped === 0 ? '\n' : `, ${skipped} not run\n`);
    process.exitCode = failed === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(end.signal.aborted ? 'Ended before the last check.\n' : `${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    if (given.keep) process.stderr.write(`The disk and the log of the console are in ${folder}.\n`);
    else rmSync(folder, { recursive: true, force: true });
  }
}
