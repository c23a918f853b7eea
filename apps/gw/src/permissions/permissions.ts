import { errorMessage } from '@gateway/contract/error-code';
import type { Mode, PermissionCall, PermissionDecision, Permissions } from '../agent/types.ts';
import { expandHome } from '../files/home-path.ts';
import type { ApprovalScope, Approvals } from './approvals.ts';
import { type GitAliases, hasGit } from './bash/git-aliases.ts';
import { locate } from './bash/locate.ts';
import { parseLine } from './bash/parse-line.ts';
import { resolvePath } from './bash/resolved-path.ts';
import type { ParsedLine, SimpleCommand } from './bash/types.ts';
import { onlyReads } from './command-pattern.ts';
import { approvalKey, decide } from './decide.ts';
import { approvalsOf } from './decide-command.ts';
import { findExcludedPaths } from './excluded-paths.ts';
import { type ApprovalOffer, offersFor } from './offers.ts';
import { nameOf } from './programs/word.ts';
import type { Call, RuleSet } from './types.ts';

/** What of a rule set the composition knows; the mode and the approvals come with each call. */
export type Rules = Omit<RuleSet, 'mode' | 'saved' | 'readOnlySandbox'>;

export interface PermissionOptions {
  /** Root of the project: absolute, links resolved. */
  readonly project: string;
  /** Where relative paths begin. */
  readonly directory: string;
  /** What `~` means in a path. */
  readonly home?: string;
  /** Asked at every call, so that a new policy counts at once. */
  rules(): Rules;
  readonly approvals: Approvals;
  /** Masks secrets in a text: an approval that contains one is not stored on disk. */
  readonly mask: (text: string) => { readonly masked: number };
  /** Whether commands can run where they cannot write. Asked in plan mode alone. */
  readonly hasReadOnlySandbox: () => Promise<boolean>;
  /** Asked where a line has a command of git. */
  readonly gitAliases: () => Promise<GitAliases>;
  /** Why git would start a program that the repository of a folder names; null where it would not. */
  readonly gitStarts: (folder: string) => Promise<string | null>;
  /** Whether the shell may find a program of this name in the project. Absent where PATH has no relative folder. */
  readonly isSuppliedByProject?: (program: string) => Promise<boolean>;
}

/** What the agent's port does not name. */
export interface LocalPermissions extends Permissions {
  /** What can be approved beyond this one time, the exact call first; nothing where it would ask all the same. */
  offers(call: PermissionCall): Promise<readonly ApprovalOffer[]>;
  /** For the sandbox, which hides what the rules exclude. */
  excludedPaths(): ReturnType<typeof findExcludedPaths>;
}

/** Looks up what a call is about (links, the grammar of a command) and has the pure function decide. */
export function createPermissions(options: PermissionOptions): LocalPermissions {
  const { approvals } = options;
  const prepared = (call: PermissionCall): Promise<Call> => prepareCall(call, options);

  async function ruleSet(call: PermissionCall, mode: Mode, saved: ReadonlySet<string>): Promise<RuleSet> {
    const readOnlySandbox = mode === 'plan' && call.tool === 'Bash' && (await options.hasReadOnlySandbox());
    return { ...options.rules(), mode, saved, readOnlySandbox };
  }

  return {
    excludedPaths: () => findExcludedPaths(options.rules(), options.project),
    async judge(call: PermissionCall, mode: Mode): Promise<PermissionDecision> {
      const found = await prepared(call);
      return decide(await ruleSet(call, mode, await approvals.known()), found);
    },
    async offers(call: PermissionCall) {
      const found = await prepared(call);
      const before = await ruleSet(call, 'normal', await approvals.known());
      const saved = (keys: readonly string[]): RuleSet => ({ ...before, saved: new Set([...before.saved, ...keys]) });
      // What asks all the same is not offered.
      return offersFor(found, exactKeys(found)).filter(({ keys }) => decide(saved(keys), found).decision === 'allow');
    },
    async remember(call: PermissionCall, asked: ApprovalScope, rules?: readonly string[]): Promise<string | null> {
      const found = await prepared(call);
      const offered =
        rules === undefined ? undefined : (await this.offers(call)).find((one) => isSame(one.rules, rules));
      const keys = offered?.keys ?? exactKeys(found);
      const saved = new Set([...(await approvals.known()), ...keys]);
      const later = decide(await ruleSet(call, 'normal', saved), found);
      if (later.decision !== 'allow') return `The approval counts once: ${later.reason}`;
      const secret = asked === 'project' && keys.some((key) => options.mask(key).masked > 0);
      const scope = secret ? 'session' : asked;
      try {
        await approvals.add(keys, scope);
      } catch (error) {
        await approvals.add(keys, 'session');
        return `The approval counts in this session only: it cannot be kept (${errorMessage(error)}).`;
      }
      return secret ? 'The approval counts in this session only: the call holds what looks like a secret.' : null;
    },
  };
}

const SUPPLIED = 'PATH has a relative folder, in which the project may have a program of this name.';
/** What Bash does itself. */
const BUILTIN =
  /^(?::|\[|true|false|test|echo|printf|pwd|type|cd|command|builtin|times|jobs|wait|read|shift|return|break|continue|exit)$/;

function exactKeys(call: Call): readonly string[] {
  return call.line === undefined ? [approvalKey(call)] : approvalsOf(call.line);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

async function prepareCall(call: PermissionCall, options: PermissionOptions): Promise<Call> {
  const { project, directory, home = null } = options;
  const { tool, effect, target } = call;
  if (tool === 'Bash') {
    const plain = await parseLine(target.value);
    const aliases = hasGit(plain) ? await options.gitAliases() : null;
    const line = aliases === null || aliases.size === 0 ? plain : await parseLine(target.value, aliases);
    return { tool, effect, target, line: await withPrograms(await locate(line, project, directory), options) };
  }
  if (target.kind !== 'path') return { tool, effect, target, exact: JSON.stringify(call.args) };
  return {
    tool,
    effect,
    target,
    resolved: await resolvePath(expandHome(target.value, home), project, directory).catch(() => null),
  };
}

/** A command that only reads does more where git starts a program of the repository, or where the project supplies the program. */
async function withPrograms(
  line: ParsedLine,
  { gitStarts, isSuppliedByProject }: PermissionOptions,
): Promise<ParsedLine> {
  const asked = new Map<string, Promise<string | null>>();
  const startedIn = (folder: string): Promise<string | null> => {
    const known = asked.get(folder) ?? gitStarts(folder);
    asked.set(folder, known);
    return known;
  };
  const commands = line.commands.map(async (command): Promise<SimpleCommand> => {
    const [name] = command.words;
    if (name === undefined || !onlyReads(command)) return command;
    const isSupplied = !BUILTIN.test(name.text) && (await isSuppliedByProject?.(nameOf(name)));
    const found = isSupplied === true ? [SUPPLIED] : await Promise.all((command.folders ?? []).map(startedIn));
    const more = found.find((why) => why !== null);
    return more === undefined ? command : { ...command, use: { ...command.use, acts: true }, more };
  });
  return { ...line, commands: await Promise.all(commands) };
}
