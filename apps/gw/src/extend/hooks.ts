import { spawn } from 'node:child_process';
import type { HookCall, Hooks } from '../agent/dependencies.ts';
import { isAbout, matchesText, parseRule } from '../permissions/rule.ts';
import { pluralize } from '../process/pluralize.ts';

export type HookEvent = 'before-tool' | 'after-tool' | 'session-start' | 'turn-end';
/** A program of the user that `gw` runs at a point of its work. */
export interface Hook {
  readonly on: HookEvent;
  /** Rules of the calls it is about; without them, all. */
  readonly tools?: readonly string[] | undefined;
  readonly command: string;
  readonly timeoutSeconds?: number | undefined;
}
const USUAL_SECONDS = 60;
const DENIES = 2;
/** Characters of what a hook says. */
const MOST_CHARACTERS = 4000;

/** @param notice tells the person what a hook said that denied nothing, or how it failed */
export function createHooks(
  hooks: readonly Hook[],
  at: {
    readonly cwd: string;
    readonly session: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly notice: (text: string) => void;
  },
): Hooks {
  const input = (event: HookEvent, more: object): string =>
    `${JSON.stringify({ version: 1, event, session: at.session, cwd: at.cwd, ...more })}\n`;
  const run = async (hook: Hook, more: object): Promise<string | null> => {
    const seconds = hook.timeoutSeconds ?? USUAL_SECONDS;
    const { code, said } = await runHook(hook.command, input(hook.on, more), { ...at, seconds });
    if (code === DENIES) return said === '' ? `The hook ${hook.command} denied it.` : said;
    if (code === null) at.notice(`The hook ${hook.command} was ended after ${pluralize(seconds, 'second')}.`);
    else if (code !== 0)
      at.notice(`The hook ${hook.command} failed (exit code ${code})${said === '' ? '.' : `: ${said}`}`);
    return null;
  };
  const about = (on: HookEvent, call: HookCall): readonly Hook[] =>
    hooks.filter((hook) => hook.on === on && (hook.tools ?? ['*']).some((rule) => meets(rule, call)));
  return {
    async beforeTool(call) {
      for (const hook of about('before-tool', call)) {
        const reason = await run(hook, call);
        if (reason !== null) return { reason, command: hook.command };
      }
      return null;
    },
    async afterTool(call) {
      for (const hook of about('after-tool', call)) {
        const said = await run(hook, call);
        if (said !== null) at.notice(said);
      }
    },
    async at(event, details = {}) {
      for (const hook of hooks.filter((one) => one.on === event)) {
        const said = await run(hook, details);
        if (said !== null) at.notice(said);
      }
    },
  };
}

/** Whether a rule may be about a call: of a command line, its pattern may fit any part. */
function meets(text: string, { tool, target }: HookCall): boolean {
  const read = parseRule(text);
  if ('fault' in read || !isAbout(read.rule, tool)) return false;
  const { pattern } = read.rule;
  if (pattern === null) return true;
  const parts = [target, ...target.split(/[;&|\n()]+/).map((part) => part.trim())];
  return parts.some((part) => matchesText(pattern.replaceAll('**', '*'), part));
}

/** Null as the code: it was ended after its time. */
function runHook(
  command: string,
  input: string,
  {
    cwd,
    variables,
    seconds,
  }: { readonly cwd: string; readonly variables: Readonly<Record<string, string>>; readonly seconds: number },
): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd,
      env: variables,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let said = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }, seconds * 1000);
    const settle = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code: late ? null : (code ?? 1), said: said.trim() });
    };
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, MOST_CHARACTERS);
    });
    // A hook that reads nothing closes its input.
    child.stdin.on('error', () => undefined).end(input);
    child.once('error', (error) => {
      said = error.message;
      settle(1);
    });
    child.once('close', settle);
  });
}
