import { posix } from 'node:path';
import { nearestWith, type ProjectIndex, within } from '../facts/project-index.ts';
import { fitting, isRecord } from './ecmascript-patterns.ts';

interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly types?: unknown;
  readonly exports?: unknown;
  readonly imports?: unknown;
}

type ResolveFile = (project: ProjectIndex, path: string) => string | null;

/**
 * Files of a package of this repository (`@acme/cart`, `@acme/cart/total`), or of its own `#imports`: one for each condition,
 * because the condition is known only at run time. Empty for packages of others.
 */
export function resolvePackage(
  project: ProjectIndex,
  path: string,
  from: string,
  file: ResolveFile,
): readonly string[] {
  const { manifests, byName } = packagesOf(project);
  if (from.startsWith('#')) {
    const directory = nearestWith(project, path, ['package.json']);
    return directory === null ? [] : targetsOf(manifests.get(directory)?.imports, from, directory, project, file);
  }
  const [first = '', second = ''] = from.split('/', 2);
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  const directory = byName.get(name);
  if (directory === undefined) return [];
  const { exports: exported, types, module, main } = manifests.get(directory) ?? {};
  const rest = from.slice(name.length);
  const targets = targetsOf(rootOf(exported), `.${rest}`, directory, project, file);
  if (targets.length > 0) return targets;
  const entries = rest === '' ? [types, module, main, 'index', 'src/index', 'src/main', 'lib/index'] : [rest.slice(1)];
  for (const entry of entries) {
    const found = typeof entry === 'string' ? file(project, within(directory, entry)) : null;
    if (found !== null) return [found];
  }
  return [];
}

/** An `exports` that is no map of paths means the package itself. */
function rootOf(exported: unknown): unknown {
  const paths = isRecord(exported) && Object.keys(exported).some((key) => key.startsWith('.'));
  return paths ? exported : { '.': exported };
}

/** Existing files that the most exact key of `exports` or `imports` with any resolves to. */
function targetsOf(
  map: unknown,
  wanted: string,
  directory: string,
  project: ProjectIndex,
  file: ResolveFile,
): readonly string[] {
  if (!isRecord(map)) return [];
  for (const { value, middle } of fitting(map, wanted)) {
    const files = [...conditions(value)].map((target) =>
      file(project, within(directory, target.replaceAll('*', middle))),
    );
    const found = [...new Set(files.filter((each) => each !== null))];
    if (found.length > 0) return found;
  }
  return [];
}

/** Every file that a condition of `exports` may resolve to. */
function* conditions(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const each of value) yield* conditions(each);
  else if (isRecord(value)) for (const each of Object.values(value)) yield* conditions(each);
}

function packagesOf(project: ProjectIndex) {
  return project.once('ecmascript packages', () => {
    const manifests = new Map<string, Manifest>();
    const byName = new Map<string, string>();
    for (const path of project.manifests('package.json')) {
      const manifest = parseManifest(project.manifest(path));
      manifests.set(posix.dirname(path), manifest);
      if (typeof manifest.name === 'string') byName.set(manifest.name, posix.dirname(path));
    }
    return { manifests, byName };
  });
}

function parseManifest(text: string | undefined): Manifest {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {}; // a manifest that does not parse names nothing
  }
}
