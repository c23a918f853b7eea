import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ChecklistItem, Snapshots, Tool, ToolContext, ToolResult } from '../../agent/types/index.ts';
import { ToolFailed } from '../../agent/types/index.ts';
import { createJobs } from '../jobs.ts';
import { createFileLedger } from '../text-file.ts';

const NO_SNAPSHOTS: Snapshots = {
  begin: async () => undefined,
  beforeWrite: async () => undefined,
  beforeCommand: async () => undefined,
  afterCommand: async () => undefined,
  end: async () => undefined,
  undo: async () => null,
  redo: async () => null,
};

/** A project of its own, and what tools are given there. */
export async function testProject(files: Readonly<Record<string, string>> = {}, more: Partial<ToolContext> = {}) {
  const project = await realpath(await mkdtemp(join(tmpdir(), 'gw-tools-')));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  const at = (name: string): string => join(project, name);
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  const output: string[] = [];
  const warnings: string[] = [];
  const checklist: ChecklistItem[] = [];
  const jobs = createJobs();
  const context: ToolContext = {
    project,
    cwd: project,
    session: '0198c0de-0000-7000-8000-000000000000',
    call: 'call_1',
    signal: new AbortController().signal,
    clock: { now: () => new Date(0), sleep: async () => undefined },
    files: createFileLedger(),
    snapshots: NO_SNAPSHOTS,
    jobs,
    planMode: false,
    keepsFromReading: async () => false,
    readsOnly: async () => false,
    output: (chunk) => void output.push(chunk),
    mask: (text) => ({ text, masked: 0 }),
    setChecklist: (items) => void checklist.push(...items),
    setStatus: () => undefined,
    warn: (text) => void warnings.push(text),
    ...more,
  };
  /** Runs a call as the loop does: wrong arguments and what is thrown are failures. */
  const run = async (tool: Tool, args: unknown, override: Partial<ToolContext> = {}): Promise<ToolResult> => {
    const parsed = tool.parse(args);
    if (!parsed.ok) return { outcome: 'failed', content: parsed.message };
    try {
      return await tool.run(parsed.args, { ...context, ...override });
    } catch (error) {
      if (error instanceof ToolFailed) return { outcome: 'failed', content: error.message };
      throw error;
    }
  };
  return {
    project,
    at,
    write,
    read: (name: string) => readFile(at(name), 'utf8'),
    context,
    run,
    jobs,
    output,
    warnings,
    checklist,
  };
}
