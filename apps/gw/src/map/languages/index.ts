import { extname } from 'node:path/posix';
import type { Language } from '../facts/language.ts';
import { c, cpp } from './c.ts';
import { csharp } from './csharp.ts';
import { javascript, tsx, typescript } from './ecmascript.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { kotlin } from './kotlin.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

export const LANGUAGES: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  kotlin,
  c,
  cpp,
  csharp,
  ruby,
  php,
];

const BY_EXTENSION = new Map(LANGUAGES.flatMap((language) => language.extensions.map((ending) => [ending, language])));
const BY_ID = new Map(LANGUAGES.map((language) => [language.id, language]));

/** The language of a file by its ending; undefined for files that the map leaves out. */
export function languageOf(path: string): Language | undefined {
  return BY_EXTENSION.get(extname(path));
}

export function languageById(id: string): Language | undefined {
  return BY_ID.get(id);
}
