import { join } from 'node:path';
import { type Canary, canaries } from '@gateway/secrets/testing';
import type { RunOptions, World } from './world.ts';

/** The same in every run, so that a failure can be reproduced. */
export const ALL = canaries('gw diagnose');

/** Raw values, and as JSON, YAML, a shell or an address would write them. */
function formsOf(value: string): readonly string[] {
  return [
    ...new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      JSON.stringify(JSON.stringify(value)).slice(3, -3),
      encodeURIComponent(value),
    ]),
  ];
}

/** Canaries in groups, so that a report of its own is not needed for each. */
export function groups(size: number): readonly (readonly Canary[])[] {
  return Array.from({ length: Math.ceil(ALL.length / size) }, (_, at) => ALL.slice(at * size, (at + 1) * size));
}

/** Reports of a world in which secrets are planted. */
export function canaryReports(world: () => World) {
  const planted = new Map<string, Canary>();
  const shown: { readonly where: string; readonly text: string }[] = [];
  let looked = 0;
  /** Notes what was planted. */
  function plant({ text, ...canary }: Canary): string {
    planted.set(canary.value, { text, ...canary });
    return text;
  }
  /** Everything that the client shows of the world, in both forms and on both streams, and in its file. */
  async function look(where: string, change: RunOptions = {}, ...args: readonly string[]): Promise<void> {
    // Without tools on the path, unless the field is theirs: a report then costs some milliseconds.
    const changed = { ...change, variables: { PATH: join(world().root, 'nothing'), ...change.variables } };
    const forms = [[], ['--json']].map((form) => world().gw(['diagnose', ...form, '--output', '-', ...args], changed));
    for (const { code, out, err } of await Promise.all(forms)) {
      if (code !== 0 || err !== '') throw new Error(`${where}: exit code ${code}: ${err}`);
      shown.push({ where, text: out });
    }
  }
  /** What was shown of what was planted, since it was asked the last time. */
  function leaked(): readonly string[] {
    const values = [...planted.values()].flatMap(({ value, rule }) => formsOf(value).map((form) => ({ form, rule })));
    const fresh = shown.slice(looked);
    looked = shown.length;
    return fresh.flatMap(({ where, text }) =>
      values
        .filter(({ form }) => text.includes(form))
        .map(({ form, rule }) => `${rule} in ${where}: ${form.slice(0, 4)}…`),
    );
  }
  return { planted, shown, plant, look, leaked };
}
