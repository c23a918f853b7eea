import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** In the package the files are two folders up; a built program has them beside itself. */
const FOLDER =
  ['./migrations/', '../../migrations/'].map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url)) ??
  new URL('./migrations/', import.meta.url);

/** One numbered migration. Once released its text never changes; the registry keeps its digest. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly digest: string;
}

/** Every migration of this version in order. Their numbers run from 1 without a gap (limits-14). */
export function readMigrations(folder: URL = FOLDER): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name, index) => {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
    if (number !== index + 1) throw new Error(`migration ${name} is not number ${index + 1}`);
    const text = readFileSync(new URL(name, folder), 'utf8');
    return {
      number,
      name: name.slice(0, -'.sql'.length),
      text,
      digest: createHash('sha256').update(text).digest('hex'),
    };
  });
}
