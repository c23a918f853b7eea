import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/** Where a path leads. */
export interface ResolvedPath {
  /** Absolute, symbolic links resolved, also of a file that does not exist yet. */
  readonly path: string;
  /** Relative to the project, with `/`; empty for the project itself; null outside. */
  readonly relative: string | null;
}

/** As many links as Linux follows before it gives up. */
const MOST_LINKS = 40;

/**
 * The location of a path as a tool opens it. `project` is absolute, with resolved links; relative paths start at `directory`.
 * Links are followed one by one, so that a link to a file that does not exist counts as its target.
 */
export async function resolvePath(path: string, project: string, directory: string): Promise<ResolvedPath> {
  const real = await realPathOf(resolve(directory, path));
  const fromProject = relative(project, real);
  const outside = fromProject === '..' || fromProject.startsWith(`..${sep}`) || isAbsolute(fromProject);
  return { path: real, relative: outside ? null : fromProject.split(sep).join('/') };
}

/** Whether an absolute path is a folder or inside it. */
export function isWithin(folder: string | null, path: string | undefined): boolean {
  return folder !== null && path !== undefined && `${path}${sep}`.startsWith(`${folder}${sep}`);
}

/** A path with its symbolic links resolved, also of what does not exist. */
export async function realPathOf(path: string): Promise<string> {
  let links = 0;
  let done = parse(path).root;
  let rest = path.slice(done.length).split(sep).filter(Boolean);
  while (rest.length > 0) {
    const [name = '', ...others] = rest;
    // What is done contains no link: its parent is the one that the system goes up to.
    const next = name === '..' ? dirname(done) : join(done, name);
    if (!isLink(next)) {
      done = next;
      rest = others;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return join(next, ...others); // A loop: opening it fails.
    const target = readlinkSync(next);
    const { root } = parse(target);
    if (root !== '') done = root;
    rest = [...target.slice(root.length).split(sep).filter(Boolean), ...others];
  }
  return done;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}
