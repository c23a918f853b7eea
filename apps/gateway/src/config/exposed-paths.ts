import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Reading, Variable } from '@gateway/configuration';
import type { ExecutionConfiguration } from './execution.ts';
import { listAlwaysShown } from './sandbox-paths.ts';

/** Variables that name a file or a directory with a key, a license, a certificate or state. */
const KEEPS = /_(?:FILE|CERT_PATH|STATE_DIR)$/;

/** What sandboxes show, and why. */
interface ShownPath {
  readonly path: string;
  readonly why: string;
}

/**
 * Notes a fault for each path of keys, state, licenses, certificates or agents' work that overlaps what a sandbox shows (refusals-29): every
 * command could read it there. Links and bind mounts are followed.
 * @param variables all that this build reads
 */
export function refuseExposedPaths(
  reading: Reading,
  variables: readonly Variable[],
  execution: ExecutionConfiguration | null,
  stateDirectory: string,
): void {
  if (execution?.launcher !== 'bubblewrap') return;
  const always = listAlwaysShown().map((path) => ({ path, why: 'every sandbox' }));
  const readable = execution.readable.map((path) => ({ path, why: 'GATEWAY_AGENT_READABLE' }));
  for (const variable of variables) {
    if (variable.name === 'GATEWAY_AGENT_WORKDIR') refuse(reading, variable, execution.workdir, always);
    if (!KEEPS.test(variable.name)) continue;
    const path = reading.text(variable) ?? (variable.name === 'GATEWAY_STATE_DIR' ? stateDirectory : null);
    if (path !== null) refuse(reading, variable, resolve(path), [...always, ...readable]);
  }
}

function refuse(reading: Reading, variable: Variable, path: string, shown: readonly ShownPath[]): void {
  const met = shown.find((one) => overlap(path, one.path));
  if (met === undefined) return;
  const where = `${path} overlaps ${met.path}, which ${met.why} shows to agent commands`;
  reading.fault(variable, `${where}. Move one of them elsewhere.`);
}

/** Whether one of two paths equals or is inside the other. */
function overlap(one: string, other: string): boolean {
  return liesIn(one, other) || liesIn(other, one);
}

/** Resolved paths are compared: a directory may have several names. */
function liesIn(path: string, directory: string): boolean {
  const holder = statOf(directory);
  if (holder === undefined) return false;
  for (let at = existing(path); ; at = dirname(at)) {
    const { dev, ino } = statOf(at) ?? { dev: -1, ino: -1 };
    if (dev === holder.dev && ino === holder.ino) return true;
    if (at === dirname(at)) return false;
  }
}

/** The resolved path; for a missing one, that of its nearest existing directory. */
function existing(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : existing(above);
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // it cannot be reached: nothing is shown of it either
  }
}
