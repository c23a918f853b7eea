import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extractFacts } from '../map/extract.ts';
import { languageOf } from '../map/languages/index.ts';
import { staysWithin } from '../project/project.ts';
import type { CodeLink } from './course.ts';

/** The code that a link points to, in its current state. */
export type CodeState =
  | { readonly state: 'found'; readonly text: string; readonly digest: string; readonly firstLine: number }
  | { readonly state: 'no file' | 'no symbol' | 'unknown language' };

/** Reads the code of a link. `project` is the directory that its path is relative to; nothing outside it is read. */
export async function codeOf(project: string, { path, symbol }: CodeLink): Promise<CodeState> {
  const file = join(project, path);
  const source = (await staysWithin(project, file)) ? await readFile(file, 'utf8').catch(() => null) : null;
  if (source === null) return { state: 'no file' };
  if (symbol === null) return toFound(source, 1);
  const language = languageOf(path);
  if (language === undefined) return { state: 'unknown language' };
  const { symbols } = await extractFacts(language, source, false);
  const declaration = symbols.find(({ name }) => name === symbol);
  if (declaration === undefined) return { state: 'no symbol' };
  const { firstLine, lastLine } = declaration;
  return toFound(
    source
      .split('\n')
      .slice(firstLine - 1, lastLine)
      .join('\n'),
    firstLine,
  );
}

/** Line ends and blanks at them do not make another text. */
function toFound(text: string, firstLine: number): CodeState {
  const plain = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return {
    state: 'found',
    text: plain,
    digest: `sha256:${createHash('sha256').update(plain).digest('hex')}`,
    firstLine,
  };
}
