import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentAct, firstCharacters, MAXIMUM_ACTS, MAXIMUM_REASON, storable } from '@gateway/contract';
import { errorCode, errorMessage } from '@gateway/contract/error-code';
import { v7 } from 'uuid';
import {
  type ActDetails,
  type Json,
  ModelRefused,
  type Organization,
  type PolicyInForce,
} from '../agent/types/index.ts';
import { Locked, withLock } from '../files/lock.ts';
import { ownFolder, replaceFile } from '../files/replace.ts';
import { ask, type ControlPlane, ControlPlaneFailed } from './control-plane.ts';
import { createPolicyReader, type KnownPolicy, PolicyUnknown } from './policy.ts';

/** Bytes of a batch: half of what the gateway takes. */
const MAXIMUM_BYTES = 4 * 2 ** 20;
/** Longest wait for another process that delivers. */
const PATIENCE_MS = 2000;

/** Acts on their way to the gateway. They are on the disk from `keep` until the gateway has confirmed them. */
interface Acts {
  keep(act: AgentAct): Promise<void>;
  /**
   * Delivers all queued acts, also of earlier sessions, in batches. The rest stays for later.
   * @returns how many remain, and why; null if none do.
   */
  deliver(signal?: AbortSignal): Promise<Undelivered | null>;
}

interface Undelivered {
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

const MAXIMUM_TARGET = 8192;
const MAXIMUM_TOOL = 200;
const MAXIMUM_SUBJECT = 400;

interface Given {
  readonly subject: string;
  readonly at: Date;
  /** Masks secrets in a text. */
  readonly mask: (text: string) => string;
}

/**
 * An act in the form that the gateway accepts: only members of the contract, no secret, nothing too long. An invalid act would
 * prevent the rest of its batch from being stored.
 */
export function wireAct(act: ActDetails, { subject, at, mask }: Given): AgentAct {
  const text = (value: string, most: number): string => firstCharacters(storable(mask(value)), most) || '-';
  return {
    id: v7(),
    session: act.session,
    ...(act.parentSession === undefined ? {} : { parentSession: act.parentSession }),
    subject: firstCharacters(storable(subject), MAXIMUM_SUBJECT) || '-',
    at: at.toISOString(),
    tool: text(act.tool, MAXIMUM_TOOL),
    target: { kind: act.target.kind, value: text(act.target.value, MAXIMUM_TARGET) },
    authorizedBy: act.authorizedBy,
    outcome: act.outcome,
    ...(act.reason === undefined ? {} : { reason: firstCharacters(storable(mask(act.reason)), MAXIMUM_REASON) }),
  };
}

/** `unknown`: the gateway did not say. Its relay checks every call by itself. */
type Standing = 'in force' | 'revoked' | 'unknown';

/** Whether a session was revoked. Asked between turns, for a turn may use models that are not behind the gateway. */
export async function readStanding(plane: ControlPlane, session: string, signal?: AbortSignal): Promise<Standing> {
  try {
    const answer = await ask(plane, { path: `/ide/sessions/${encodeURIComponent(session)}/standing`, signal });
    const { standing } = answer;
    return standing === 'in force' || standing === 'revoked' ? standing : 'unknown';
  } catch (error) {
    if (error instanceof ControlPlaneFailed) return 'unknown';
    throw error;
  }
}

export interface OrganizationOptions {
  readonly plane: ControlPlane;
  readonly home: string;
  /** The subject of acts. */
  readonly subject: string;
  readonly now: () => Date;
  /** Masks secrets in a text. */
  readonly mask: (text: string) => string;
}

/** The gateway refuses the license: the session ends as one that a model's call refuses. */
const REFUSALS: ReadonlySet<number | null> = new Set([401, 402, 403]);

/** What a session does with the organization that its gateway serves. */
export function createOrganization({ plane, home, subject, now, mask }: OrganizationOptions): Organization {
  const reader = createPolicyReader(plane, home, now);
  const acts = createActs(plane, home);
  let reported: string | null = null;
  let kept: Promise<void> = Promise.resolve();
  let unkept: string | null = null;

  async function known(): Promise<KnownPolicy> {
    try {
      return await reader.read();
    } catch (error) {
      if (!(error instanceof PolicyUnknown) || !REFUSALS.has(error.status)) throw error;
      throw new ModelRefused(error.message, error.status ?? 0, false);
    }
  }

  return {
    async policy(): Promise<PolicyInForce> {
      const { source, revision, policy, inForce, notice } = await known();
      const news = notice === reported ? null : notice;
      reported = notice;
      const imposed = inForce ? policy : null;
      const document: Json = imposed;
      const commands = imposed?.commands?.location ?? 'workstation';
      return { source, revision, document, tools: imposed?.tools ?? {}, commands, notice: news };
    },
    standing: (session) => readStanding(plane, session),
    act(details: ActDetails) {
      const act = wireAct(details, { subject, at: now(), mask });
      kept = kept
        .then(() => acts.keep(act))
        .catch((error: unknown) => {
          unkept = `An act could not be kept for the organization: ${errorMessage(error)}`;
        });
    },
    async flush() {
      await kept;
      const left = await acts.deliver();
      if (unkept !== null) return unkept;
      return left === null
        ? null
        : `Acts for the organization are kept on this machine and delivered later: ${left.reason}`;
    },
  };
}
