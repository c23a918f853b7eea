import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A package of the lock file, by the folder it is installed in. */
interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
}

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Locked>> };

/** What a package needs to be installed, the packages of other platforms included; what others develop with is not installed. */
function needsOf(folder: string, locked: Locked): readonly string[] {
  const isOwn = !folder.includes('node_modules/');
  const peers = Object.keys(locked.peerDependencies ?? {}).filter(
    (name) => locked.peerDependenciesMeta?.[name]?.optional !== true,
  );
  const developed = isOwn ? Object.keys(locked.devDependencies ?? {}) : [];
  return [...Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }), ...developed, ...peers];
}

/** The folders in which Node.js searches a package: beside its dependent, then further up. */
function places(folder: string, name: string): readonly string[] {
  const found = [`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
  for (let at = folder; at !== ''; ) {
    at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '';
    found.push(`${at === '' ? '' : `${at}/`}node_modules/${name}`);
  }
  return found;
}

it('lists every package that is needed, on every platform', () => {
  const missing = Object.entries(packages).flatMap(([folder, locked]) =>
    needsOf(folder, locked)
      .filter((name) => !places(folder, name).some((place) => place in packages))
      .map((name) => `${name}, which ${folder || 'the project'} needs`),
  );
  expect(missing).toEqual([]);
});

it('contains the digest of every package of the registry', () => {
  const bare = Object.entries(packages).filter(
    ([folder, { link, integrity, inBundle }]) =>
      folder.includes('node_modules/') && link !== true && inBundle !== true && integrity === undefined,
  );
  expect(bare.map(([folder]) => folder)).toEqual([]);
});
