import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { listDirectory } from '../files/listing.ts';
import { readText } from '../files/reading.ts';
import { type Project, staysWithin } from '../project/project.ts';

/** A Markdown file of the project or the user that extends `gw`. */
export interface ExtensionFile {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly origin: 'user' | 'project';
}

/**
 * The files of a folder of `.gateway`, of the project before those of home: `NAME.md`, or `NAME/<inner>`. Of a name, the first
 * counts. Links that leave the project are not followed.
 */
export async function extensionFiles(
  project: Project,
  home: string | null,
  folder: 'commands' | 'skills',
  inner: string | null,
): Promise<readonly ExtensionFile[]> {
  const found = new Map<string, ExtensionFile>();
  const places = [
    ...(project.foreign ? [] : [{ base: project.directory, origin: 'project' as const }]),
    ...(home === null || home === project.directory ? [] : [{ base: home, origin: 'user' as const }]),
  ];
  for (const { base, origin } of places) {
    const at = join(base, '.gateway', folder);
    const listing = await listDirectory(at);
    if (listing.state !== 'read') continue;
    for (const { name: entry, kind, nameable } of listing.entries) {
      const name = inner === null ? entry.replace(/\.md$/, '') : entry;
      if (!nameable || !/^[\w-]{1,64}$/.test(name) || found.has(name)) continue;
      if (inner === null ? kind === 'directory' || !entry.endsWith('.md') : kind === 'file') continue;
      const path = inner === null ? join(at, entry) : join(at, entry, inner);
      if (origin === 'project' && !(await staysWithin(base, path))) continue;
      const reading = await readText(path);
      if (reading.state === 'read') found.set(name, { name, path, text: reading.text, origin });
    }
  }
  return [...found.values()];
}

/** The members between the two lines `---` at the head of a file, which may be absent, and the text below them. */
export function splitFrontMatter(file: string): {
  readonly members: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const lines = file.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') : -1;
  if (end < 0) return { members: {}, body: lines.join('\n').trim() };
  const members: Record<string, string> = {};
  let latest = '';
  for (const line of lines.slice(1, end)) {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      latest = name.toLowerCase();
      members[latest] = value
        .replace(/^(['"])(.*)\1\s*$/, '$2')
        .replace(/^[|>][+-]?$/, '')
        .trim();
    } else if (latest !== '' && /^\s+\S/.test(line))
      members[latest] =
        `${members[latest] ?? ''}${line.trim().startsWith('- ') ? ', ' : ' '}${line.trim().replace(/^- /, '')}`.replace(
          /^[, ]+/,
          '',
        );
  }
  return {
    members,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

/** What the person agrees to where a file is the project's: all of its text counts, by its digest. */
export function requestOf(kind: 'command' | 'skill', { name, path, text }: ExtensionFile, project: string) {
  const digest = createHash('sha256').update(text).digest('hex');
  const rows: [string, string][] = [
    ['File', path.slice(project.length + 1)],
    ['Beginning', text.trim().slice(0, 400)],
    ['SHA-256', digest],
  ];
  return { kind, name, shown: rows, place: path.slice(project.length + 1) };
}
