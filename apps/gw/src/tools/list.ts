import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import * as s from '../schema/index.ts';
import { defineTool, fileOf } from './definition/define.ts';
import { LIST_ENTRIES } from './definition/limits.ts';

export const list = defineTool({
  name: 'List',
  description: `Lists a directory, one entry a line: directories end in "/", links are marked, files show their size in bytes. At most ${LIST_ENTRIES} entries.`,
  schema: s.object({
    path: s.string({ min: 1 }).optional().describe('The directory; the working directory by default.'),
  }),
  effect: 'read',
  target: ({ path = '.' }) => ({ kind: 'path', value: path }),
  async run({ path = '.' }, context) {
    const directory = await fileOf(path, context);
    const found = await readdir(directory, { withFileTypes: true }).catch(
      (error: unknown) => errorCode(error) || 'unknown',
    );
    if (typeof found === 'string') {
      const why =
        found === 'ENOENT'
          ? 'does not exist'
          : found === 'ENOTDIR'
            ? 'is not a directory: use Read'
            : `cannot be listed (${found})`;
      return { outcome: 'failed', content: `${path} ${why}.` };
    }
    const sorted = found.toSorted(
      (one, other) => Number(other.isDirectory()) - Number(one.isDirectory()) || (one.name < other.name ? -1 : 1),
    );
    const lines = await Promise.all(
      sorted.slice(0, LIST_ENTRIES).map(async (entry) => {
        if (entry.isDirectory()) return `${entry.name}/`;
        if (entry.isSymbolicLink()) return `${entry.name} (link)`;
        const size = await lstat(join(directory, entry.name)).then(
          ({ size }) => `${size} bytes`,
          () => 'gone',
        );
        return entry.isFile() ? `${entry.name} (${size})` : `${entry.name} (special file)`;
      }),
    );
    const left = sorted.length - lines.length;
    if (left > 0) lines.push(`[${left} more entries: list a directory below, or use Search with a glob]`);
    return { outcome: 'succeeded', content: lines.length === 0 ? `${path} is empty.` : lines.join('\n') };
  },
});
