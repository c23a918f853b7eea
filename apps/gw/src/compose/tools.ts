import type { Tool } from '../agent/types.ts';
import type { ToolDependencies } from '../tools/tools.ts';

/** The tools of a session; loaded when the first message is sent. */
export async function builtInTools(dependencies: ToolDependencies): Promise<readonly Tool[]> {
  const { createTools } = await import('../tools/tools.ts');
  return createTools(dependencies);
}
