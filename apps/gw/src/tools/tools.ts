import type { Tool } from '../agent/types.ts';
import { agent } from './agent.ts';
import { askQuestion } from './ask-question.ts';
import { createBash } from './bash.ts';
import { createBashOutput } from './bash-output.ts';
import { createBashStop } from './bash-stop.ts';
import { checklist } from './checklist.ts';
import { edit } from './edit.ts';
import { createFetch } from './fetch.ts';
import { list } from './list.ts';
import { multiEdit } from './multi-edit.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import type { BackgroundJobs } from './shell/jobs.ts';
import type { CommandRunner } from './shell/types.ts';
import { status } from './status.ts';
import { write } from './write.ts';

export interface ToolDependencies {
  readonly jobs: BackgroundJobs;
  /** Where commands run: asked before each of them, for the organization's policy may change. */
  readonly runner: () => Promise<CommandRunner>;
  /** `--beta-status-tool`. */
  readonly statusTool: boolean;
  /** All environment variables: those that name proxies are used for Fetch. */
  readonly variables: ReadonlyMap<string, string>;
}

const PROXIES = /^(?:https?|no|all)_proxy$/i;

/** The tools of the client itself, in the order in which the model sees them. Servers add theirs (`mcp/`). */
export function createTools({ jobs, runner, statusTool, variables }: ToolDependencies): readonly Tool[] {
  const proxies = Object.fromEntries([...variables].filter(([name]) => PROXIES.test(name)));
  return [
    read,
    list,
    search,
    write,
    edit,
    multiEdit,
    createBash(jobs, runner),
    createBashOutput(jobs),
    createBashStop(jobs),
    createFetch(proxies),
    checklist,
    askQuestion,
    agent,
    ...(statusTool ? [status] : []),
  ];
}
