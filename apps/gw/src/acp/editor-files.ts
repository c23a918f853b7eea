import { type AgentContext, methods } from '@agentclientprotocol/sdk';
import { errorMessage } from '@gateway/contract/error-code';
import { type EditorFiles, ToolFailed } from '../agent/types.ts';
import type { Offered } from './offered.ts';

/** The editor's files: what it shows is read, and it writes what it shows. Null where it offers none. */
export function editorFiles(
  client: AgentContext,
  sessionId: string,
  { reads, writes }: Pick<Offered, 'reads' | 'writes'>,
): EditorFiles | null {
  if (!(reads || writes)) return null;
  /** Files that the editor gave: they may have changes that are not saved, so nobody else may write them. */
  const known = new Set<string>();
  return {
    async read(path) {
      if (!reads) return null;
      try {
        const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path });
        known.add(path);
        return content;
      } catch {
        return null; // outside of its folders, for instance
      }
    },
    async write(path, content) {
      if (!writes) return false;
      try {
        await client.request(methods.client.fs.writeTextFile, { sessionId, path, content });
        known.add(path);
        return true;
      } catch (error) {
        if (!known.has(path)) return false;
        const why = errorMessage(error);
        throw new ToolFailed(`The editor did not write ${path}: ${why}`);
      }
    },
  };
}
