import type { Effect, Mode, PermissionDecision, ToolTarget } from '../agent/types.ts';
import type { ResolvedPath } from './bash/resolved-path.ts';
import type { ParsedLine } from './bash/types.ts';
import type { Rule } from './rule.ts';

/** A rule that allows or asks; of several that meet a call the last one in the list counts. */
export interface OrderedRule {
  readonly decision: 'allow' | 'ask';
  readonly rule: Rule;
}

/** Everything that decides about calls, as a value. The order of the members is their rank. */
export interface RuleSet {
  readonly mode: Mode;
  /** The organization's policy. */
  readonly policy: {
    readonly exclude: readonly Rule[];
    readonly ask: readonly Rule[];
    readonly allow: readonly Rule[];
  };
  /** `--exclude`, `--ask` and `--allow`, in the order of the command line. */
  readonly options: { readonly exclude: readonly Rule[]; readonly ordered: readonly OrderedRule[] };
  /** The configuration and the agent's file. */
  readonly configuration: { readonly exclude: readonly Rule[]; readonly ordered: readonly OrderedRule[] };
  /** Keys of approved calls (`approvalKey`). */
  readonly saved: ReadonlySet<string>;
  /** Commands run in a sandbox that cannot write, in plan mode. */
  readonly readOnlySandbox: boolean;
  /** Somebody can be asked. */
  readonly interactive: boolean;
  /** Where gw keeps its configuration, approvals and record: absolute, links resolved. Writing there always asks. */
  readonly ownFolder: string | null;
  /** Folders of `--add-dir`, part of the project for the file tools: absolute, links resolved. */
  readonly addedFolders?: readonly string[];
  /** Folders of the user's own skills: reading there needs no question. */
  readonly skillFolders?: readonly string[];
}

/** A call with everything that had to be looked up, so that judging it is a pure function. */
export interface Call {
  readonly tool: string;
  readonly effect: Effect;
  readonly target: ToolTarget;
  /** Of a target that is a path: where it leads; null where it cannot be found out. */
  readonly resolved?: ResolvedPath | null;
  /** The arguments of a call that no path identifies: an address, a tool of a server. */
  readonly exact?: string;
  /** Of a Bash line. */
  readonly line?: ParsedLine;
}

export type Decision = PermissionDecision;
