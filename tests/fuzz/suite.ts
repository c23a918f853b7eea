import { heldObjects } from '../../apps/gateway/src/testing/memory.ts';
import { type Random, randomOf } from '../support/random.ts';
import type { OpenTarget, Outcome, Target } from './target.ts';
import { TARGETS } from './targets/index.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** In all, divided among the targets. */
  readonly cases: number;
  /** Ends each target after its share of the time that is left. */
  readonly minutes: number;
  /** Names of targets; all where it is absent. */
  readonly only?: readonly string[];
  /** The case of one target alone, to look into. */
  readonly onlyCase?: number;
  readonly report: (line: string) => void;
}

export interface TargetReport {
  readonly cases: number;
  readonly accepted: number;
  readonly refused: number;
  /** MiB by which memory at the end may exceed memory after a tenth of the cases. */
  readonly grownMiB: number;
  readonly seconds: number;
}

export interface FuzzReport {
  readonly seed: number;
  readonly cases: number;
  readonly findings: readonly { readonly target: string; readonly case: number; readonly message: string }[];
  readonly targets: Readonly<Record<string, TargetReport>>;
}

/** Growth that a warm program may show: caches that are filled, code that is compiled. */
export const MOST_GROWTH_MIB = 32;
const MOST_FINDINGS = 20;

/** The random numbers of one case: the same regardless of previous cases. */
const randomOfCase = (seed: number, name: string, number: number): Random => {
  let mixed = seed >>> 0;
  for (const character of `${name} ${number}`) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return randomOf(mixed);
};

const mebibytes = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10;

interface Counted {
  readonly outcomes: Record<Outcome, number>;
  readonly findings: FuzzReport['findings'][number][];
}

async function runCases(
  target: Target,
  open: OpenTarget,
  [from, to]: readonly [number, number],
  seed: number,
  until: number,
) {
  const counted: Counted = { outcomes: { accepted: 0, refused: 0 }, findings: [] };
  let next = from;
  const worker = async (): Promise<void> => {
    // One case at least, even where the targets before took the time of this one.
    while (next < to && counted.findings.length < MOST_FINDINGS && (next === from || performance.now() < until)) {
      const number = next;
      next += 1;
      try {
        counted.outcomes[await open.run(randomOfCase(seed, target.name, number))] += 1;
      } catch (error) {
        counted.findings.push({ target: target.name, case: number, message: (error as Error).stack ?? String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: target.concurrency }, worker));
  try {
    await open.check?.();
  } catch (error) {
    counted.findings.push({ target: target.name, case: next - 1, message: `by case ${next - 1}: ${String(error)}` });
  }
  return counted;
}

async function runTarget(target: Target, cases: number, minutes: number, { seed, onlyCase }: FuzzOptions) {
  const open = await target.open();
  const begun = performance.now();
  const until = begun + minutes * 60_000;
  try {
    const held = async (): Promise<number> => (open.heldBytes ?? heldObjects)();
    if (onlyCase !== undefined) {
      const { outcomes, findings } = await runCases(
        target,
        open,
        [onlyCase, onlyCase + 1],
        seed,
        Number.POSITIVE_INFINITY,
      );
      return { report: { ...outcomes, cases: 1, grownMiB: 0, seconds: 0 }, findings };
    }
    const warm = Math.ceil(cases / 10);
    const first = await runCases(target, open, [0, warm], seed, until);
    const before = await held();
    const second = await runCases(target, open, [warm, cases], seed, until);
    const grownMiB = mebibytes((await held()) - before);
    const findings = [...first.findings, ...second.findings];
    if (grownMiB > MOST_GROWTH_MIB) {
      findings.push({
        target: target.name,
        case: cases,
        message: `The program holds ${grownMiB} MiB more than before.`,
      });
    }
    const accepted = first.outcomes.accepted + second.outcomes.accepted;
    const refused = first.outcomes.refused + second.outcomes.refused;
    const seconds = Math.round((performance.now() - begun) / 1000);
    return { report: { cases: accepted + refused + findings.length, accepted, refused, grownMiB, seconds }, findings };
  } finally {
    await open.close?.();
  }
}

/** Hands mutated inputs to everything that reads what others send. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { seed, cases, minutes, only, report } = options;
  const chosen = TARGETS.filter(({ name }) => only?.includes(name) ?? true);
  const shares = chosen.reduce((sum, { share }) => sum + share, 0);
  const begun = performance.now();
  let sharesLeft = shares;
  const targets: Record<string, TargetReport> = {};
  const findings: FuzzReport['findings'][number][] = [];
  // A rejected promise or an exception out of turn is a crash of the program under test.
  const onCrash = (error: unknown): void => {
    findings.push({ target: 'process', case: 0, message: `unhandled: ${String(error)}` });
  };
  process.on('unhandledRejection', onCrash);
  for (const target of chosen) {
    const count = Math.max(1, Math.round((cases * target.share) / shares));
    const minutesLeft = minutes - (performance.now() - begun) / 60_000;
    const ran = await runTarget(target, count, (minutesLeft * target.share) / sharesLeft, options);
    sharesLeft -= target.share;
    targets[target.name] = ran.report;
    findings.push(...ran.findings);
    const { accepted, refused, grownMiB, seconds } = ran.report;
    report(
      `${target.name}: ${accepted} accepted, ${refused} refused, ${ran.findings.length} findings, ${grownMiB} MiB, ${seconds} s`,
    );
  }
  process.off('unhandledRejection', onCrash);
  const ran = Object.values(targets).reduce((sum, one) => sum + one.cases, 0);
  return { seed, cases: ran, findings, targets };
}
