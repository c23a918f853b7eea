import type { Mode } from './basics.ts';
import type { Effect, ToolTarget } from './tools.ts';

export interface PermissionCall {
  readonly tool: string;
  readonly effect: Effect;
  readonly target: ToolTarget;
  readonly args: unknown;
}
export interface PermissionDecision {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The rule that decided, as its author wrote it: `Bash(git *)`; for a default, the tool's name. */
  readonly rule: string;
  /** Where the rule is: `policy`, `--exclude`, `configuration`, `saved`, `default`, … */
  readonly source: string;
  /** A sentence for the person and the model. */
  readonly reason: string;
  /** Who is responsible if the call is allowed. */
  readonly authorizedBy: 'policy' | 'human' | 'automatic';
}
/** Judges calls. The adapter resolves links and parses commands; the decision itself is a pure function. */
export interface Permissions {
  judge(call: PermissionCall, mode: Mode): Promise<PermissionDecision>;
  /** Whether a command line is known to only read, whatever the rules say of it. */
  readsOnly?(command: string): Promise<boolean>;
  /**
   * Remembers an approval of exactly this call, for the session or for every session of the project. Resolves with a message if
   * it cannot be stored that long; else null. `rules` are those of an offer, which are saved instead.
   */
  remember(call: PermissionCall, scope: 'session' | 'project', rules?: readonly string[]): Promise<string | null>;
  /** What can be approved beyond this one time, with the rules that would be saved: the exact call, its program or folder. */
  offers?(call: PermissionCall): Promise<readonly { readonly kind: string; readonly rules: readonly string[] }[]>;
}
