import { matchesGlob } from 'node:path';

/** A layer of `.gateway/layers.yaml`. */
export interface Layer {
  readonly name: string;
  /** Glob patterns of files, relative to the project. */
  readonly paths: readonly string[];
  /** Names of the layers it may import; undefined means all that follow it. */
  readonly imports?: readonly string[] | undefined;
}

export interface Violation {
  readonly from: string;
  readonly to: string;
  readonly fromLayer: string;
  readonly toLayer: string;
}

/**
 * Imports that the order of the layers forbids. Layers are listed from the top down: a layer may import itself and the layers
 * below it, or those that it names. Files of no layer are free.
 */
export function violationsOf(
  layers: readonly Layer[],
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Violation[] {
  const layerOf = memoize((path) => layers.findIndex(({ paths }) => paths.some((glob) => matchesGlob(path, glob))));
  const found: Violation[] = [];
  for (const [from, targets] of imports) {
    const upper = layers[layerOf(from)];
    if (upper === undefined) continue;
    for (const to of targets) {
      const lower = layers[layerOf(to)];
      if (lower === undefined || lower === upper) continue;
      const allowed = upper.imports?.includes(lower.name) ?? layerOf(to) > layerOf(from);
      if (!allowed) found.push({ from, to, fromLayer: upper.name, toLayer: lower.name });
    }
  }
  return found.toSorted((one, other) => (one.from + one.to < other.from + other.to ? -1 : 1));
}

function memoize(compute: (path: string) => number): (path: string) => number {
  const known = new Map<string, number>();
  return (path) => {
    const value = known.get(path) ?? compute(path);
    known.set(path, value);
    return value;
  };
}
