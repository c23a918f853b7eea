import { errorMessage } from '@gateway/contract/error-code';
import { audit } from '../faults/audit.ts';
import { randomOf } from '../support/random.ts';
import { FAULTS, SWITCHOVER } from './faults.ts';
import { createWorld, type World } from './world.ts';

export const FAULT_NAMES: readonly string[] = FAULTS.map(({ name }) => name);

export interface SuiteOptions {
  readonly seed: number;
  /** All faults are made again and again until this time is over. */
  readonly minutes: number;
  readonly callers: number;
  readonly synchronous: boolean;
  readonly only?: readonly string[];
  /** Ends the run after its current fault, with its report. */
  readonly ended: AbortSignal;
  readonly report: (line: string) => void;
}

/** What callers saw of one kind of fault. */
interface Effect {
  times: number;
  /** Answers 503. */
  refused: number;
  /** Longest time without a served call, in milliseconds: of each time. */
  readonly silenceMs: number[];
  /** Standbys that did not come back by themselves, and were made again with `patronictl reinit`. */
  remade: number;
}

/** What must be 0; asynchronous replication may lose entries, and nothing else. */
export interface Figures {
  /** Calls that reached the engine, and have no approval in the log. */
  readonly unlogged: number;
  /** Whole answers without a usage record, and acts of the console without an entry. */
  readonly lost: number;
  /** Calls with more than one approval, usage record or receipt of the engine. */
  readonly doubled: number;
  /** Entries that somebody read, and that the log does not have any more, or places where it does not verify. */
  readonly forked: number;
  /** Of these, the times that no entry of the log records. */
  readonly silentlyForked: number;
  /** Calls that were refused in a planned switchover that took less than the budget of five seconds. */
  readonly refusedInSwitchover: number;
  readonly crossed: number;
}

export interface SuiteReport extends Figures {
  readonly seed: number;
  readonly minutes: number;
  readonly replication: 'synchronous' | 'asynchronous';
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, Effect>>;
  /** Why the run ended early; null where it did not. */
  readonly broken: string | null;
  /** What the gateways and `journal verify` say about what was lost. */
  readonly said: readonly string[];
  readonly examples: Readonly<Record<string, readonly string[]>>;
}

/** The budget of a call for the database (`apps/gateway/src/store/database.ts`). */
const BUDGET_MS = 5000;

export function isClean(report: SuiteReport): boolean {
  const { unlogged, lost, doubled, forked, silentlyForked, refusedInSwitchover, crossed, broken } = report;
  const always = doubled + silentlyForked + refusedInSwitchover + crossed + (broken === null ? 0 : 1);
  return (report.replication === 'synchronous' ? always + unlogged + lost + forked : always) === 0;
}

export async function runSuite(options: SuiteOptions): Promise<SuiteReport> {
  const { seed, minutes, callers: count, synchronous, only, ended, report } = options;
  const world = await createWorld(randomOf(seed), count, synchronous);
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 60_000;
  const effects: Record<string, Effect> = {};
  let refusedInSwitchover = 0;
  try {
    const chosen = FAULTS.filter(({ name }) => only?.includes(name) ?? true);
    await world.recovered();
    const makeFaults = async (): Promise<string | null> => {
      for (const fault of world.random.shuffled(chosen)) {
        if (ended.aborted) break;
        const seen = await observe(world, fault).catch(errorMessage);
        if (typeof seen === 'string') return `${fault.name}: ${seen}`;
        const [refused, silence, made] = seen;
        report(
          `${elapsed().toFixed(1)} min, ${world.callers.observed.requests} requests: ${fault.name}: ` +
            `${refused} refused, ${Math.round(silence)} ms without a served call` +
            (made.length === 0 ? '' : `; made again: ${made.join(', ')}`),
        );
        const effect = (effects[fault.name] ??= { times: 0, refused: 0, silenceMs: [], remade: 0 });
        effect.remade += made.length;
        effect.times += 1;
        effect.refused += refused;
        effect.silenceMs.push(Math.round(silence));
        if (fault.name === SWITCHOVER && silence < BUDGET_MS) refusedInSwitchover += refused;
      }
      return null;
    };
    let broken = await makeFaults();
    while (!ended.aborted && broken === null && elapsed() < minutes) broken = await makeFaults();
    if (broken !== null) report(broken);
    await world.callers.pause();
    const statuses = [...world.callers.observed.statuses].sort(([one], [other]) => one - other);
    return {
      seed,
      minutes: Math.round(elapsed() * 10) / 10,
      replication: synchronous ? 'synchronous' : 'asynchronous',
      requests: world.callers.observed.requests,
      statuses: Object.fromEntries(statuses),
      ...(await figuresOf(world, refusedInSwitchover)),
      faults: effects,
      broken,
    };
  } finally {
    await world.close();
  }
}

/** Makes one fault. @returns refused calls, the longest time without a served one, and standbys that were made again */
async function observe(
  world: World,
  { name, run }: (typeof FAULTS)[number],
): Promise<readonly [refused: number, silenceMs: number, made: readonly string[]]> {
  const { observed } = world.callers;
  const refusals = (): number => observed.statuses.get(503) ?? 0;
  const before = refusals();
  observed.phase = name;
  observed.served.silenceMs = 0;
  await run(world);
  const made = await world.recovered();
  return [refusals() - before, observed.served.silenceMs, made];
}

async function figuresOf(world: World, refusedInSwitchover: number) {
  const { callers, engine, seen, plans, reported } = world;
  const audited = await audit({ callers, engine, database: world });
  const found = await world.asOwner(async (sql) => {
    const doubled = await sql<{ id: string }[]>`
      select request_id as id from authorization_decisions where outcome = 'granted' group by 1 having count(*) > 1
      union all
      select d.request_id from request_logs l join authorization_decisions d on d.id = l.id group by 1 having count(*) > 1`;
    const sequences = `{${[...seen.keys()].join(',')}}`;
    const there = await sql<{ sequence: bigint; digest: string }[]>`
      select sequence, encode(digest, 'hex') as digest from authorization_decisions where sequence = any(${sequences}::bigint[])`;
    const digests = new Map(there.map(({ sequence, digest }) => [sequence, digest]));
    const gone = [...seen]
      .filter(([sequence, digest]) => digests.get(sequence) !== digest)
      .map(([sequence]) => sequence);
    const recorded = await sql<{ sequence: number; detail: string }[]>`
      select sequence::float8 as sequence, detail from authorization_decisions where reason = 'entries-missing' order by 1`;
    const acts = await sql<{ target: string }[]>`select target from administration_actions where action like 'plan.%'`;
    const known = new Set(acts.map(({ target }) => target.replace(/^.*:/, '')));
    return { doubled, gone, recorded, lostPlans: plans.filter((slug) => !known.has(slug)) };
  });
  const once = new Set<string>();
  const twice = engine.receipts.filter((id) => once.size === once.add(id).size);
  // An entry that is gone lies before the end that the record of the loss names.
  const isRecorded = (sequence: bigint): boolean =>
    found.recorded.some(({ detail }) => BigInt(/entry (\d+) (?:that|than)/.exec(detail)?.[1] ?? 0) >= sequence);
  const silent = found.gone.filter((sequence) => !isRecorded(sequence));
  const { isIntact, says, withCheckpoint } = await world.verify();
  return {
    unlogged: audited.unlogged,
    lost: audited.lostUsage + found.lostPlans.length,
    doubled: found.doubled.length + twice.length,
    forked: found.gone.length + audited.gaps + (isIntact ? 0 : 1),
    silentlyForked: silent.length,
    refusedInSwitchover,
    crossed: audited.crossed,
    said: [...reported, says, ...(withCheckpoint === null ? [] : [withCheckpoint])],
    examples: {
      ...audited.examples,
      lostActs: found.lostPlans.slice(0, 5),
      doubled: [...found.doubled.map(({ id }) => id), ...twice].slice(0, 5),
      forked: found.gone.slice(0, 5).map(String),
      recorded: found.recorded.map(({ sequence, detail }) => `${sequence}: ${detail}`),
    },
  };
}
