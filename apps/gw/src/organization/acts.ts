import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentAct, MAXIMUM_ACTS } from '@gateway/contract';
import { errorCode, errorMessage } from '@gateway/contract/error-code';
import { Locked, withLock } from '../files/lock.ts';
import { ownFolder, replaceFile } from '../files/replace.ts';
import { ask, type ControlPlane, ControlPlaneFailed } from './control-plane.ts';

/** Bytes of a batch: half of what the gateway takes. */
const MAXIMUM_BYTES = 4 * 2 ** 20;
/** Longest wait for another process that delivers. */
const PATIENCE_MS = 2000;

/** Acts on their way to the gateway. They are on the disk from `keep` until the gateway has confirmed them. */
export interface Acts {
  keep(act: AgentAct): Promise<void>;
  /**
   * Delivers all queued acts, also of earlier sessions, in batches. The rest stays for later.
   * @returns how many remain, and why; null if none do.
   */
  deliver(signal?: AbortSignal): Promise<Undelivered | null>;
}

export interface Undelivered {
  /** A sentence. */
  readonly reason: string;
}

/**
 * New acts are appended to `pending.jsonl`. To deliver, that file becomes a batch file, which is removed once the gateway
 * has confirmed all of it. A confirmation that is lost makes a batch go out again: its acts have the same ids, and the
 * gateway stores each once.
 */
export function createActs(plane: ControlPlane, home: string): Acts {
  const folder = join(home, '.gateway', 'acts', createHash('sha256').update(plane.gateway).digest('hex').slice(0, 16));
  const pending = join(folder, 'pending.jsonl');

  async function keep(act: AgentAct): Promise<void> {
    await ownFolder(folder);
    await withLock(`${pending}.lock`, async () => {
      const file = await open(pending, 'a', 0o600);
      try {
        // A line feed in front: after a line that a crash cut off, the act is on a line of its own.
        await file.writeFile(`\n${JSON.stringify(act)}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
    });
  }

  /** Takes what is pending into a batch file, and names all of these, the oldest first. */
  async function batchFiles(): Promise<readonly string[]> {
    const target = join(folder, `batch-${Date.now().toString().padStart(15, '0')}-${randomUUID()}.jsonl`);
    await withLock(`${pending}.lock`, () => rename(pending, target)).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    });
    const names = await readdir(folder);
    return names
      .filter((name) => /^batch-.*\.jsonl$/.test(name))
      .sort()
      .map((name) => join(folder, name));
  }

  async function deliverFile(file: string, signal: AbortSignal | undefined): Promise<void> {
    let rest = actsIn(await readFile(file, 'utf8'));
    while (rest.length > 0) {
      const count = batchSize(rest);
      try {
        await ask(plane, { path: '/ide/acts', body: `{"acts":[${rest.slice(0, count).join(',')}]}`, signal });
        rest = rest.slice(count);
      } catch (error) {
        const refused = findRefused(error, count);
        if (refused === null) throw error;
        await setAside(rest[refused] ?? '', (error as Error).message);
        rest = rest.toSpliced(refused, 1);
      }
      if (rest.length > 0) await replaceFile(file, `${rest.join('\n')}\n`);
    }
    await rm(file);
  }

  /** A refused act would prevent all later ones from being stored. It is set aside for inspection. */
  async function setAside(act: string, reason: string): Promise<void> {
    const file = await open(join(folder, 'refused.jsonl'), 'a', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ reason, act: JSON.parse(act) as unknown })}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  async function deliver(signal?: AbortSignal): Promise<Undelivered | null> {
    try {
      await ownFolder(folder);
      const work = async (): Promise<void> => {
        for (const file of await batchFiles()) await deliverFile(file, signal);
      };
      if ((await readdir(folder)).some((name) => /^(?:pending|batch-.*)\.jsonl$/.test(name))) {
        await withLock(join(folder, 'deliver.lock'), work, PATIENCE_MS);
      }
      return null;
    } catch (error) {
      if (error instanceof Locked) return null; // the process that delivers takes them along, or the next one does
      return { reason: errorMessage(error) };
    }
  }

  return { keep, deliver };
}

/** The whole lines of a file, each an act. */
function actsIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => {
    try {
      return line !== '' && typeof JSON.parse(line) === 'object';
    } catch {
      return false; // a line that a crash cut off
    }
  });
}

/** How many of the first acts make a batch. */
function batchSize(acts: readonly string[]): number {
  let [count, bytes] = [0, 0];
  for (const act of acts.slice(0, MAXIMUM_ACTS)) {
    bytes += Buffer.byteLength(act) + 1;
    if (count > 0 && bytes > MAXIMUM_BYTES) break;
    count += 1;
  }
  return count;
}

/** The index of the one act for which the gateway refuses a batch; null for any other failure. */
function findRefused(error: unknown, count: number): number | null {
  if (!(error instanceof ControlPlaneFailed) || error.status !== 400) return null;
  const index = Number(/acts refused - act #(\d+):/.exec(error.message)?.[1]) - 1;
  return index >= 0 && index < count ? index : null;
}
