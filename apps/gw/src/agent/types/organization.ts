import type { Json } from './basics.ts';
import type { ToolTarget } from './tools.ts';

export type RecordKind =
  | 'session-started'
  | 'authentication'
  | 'prompt'
  | 'file-read'
  | 'file-modified'
  | 'proposed-action'
  | 'human-decision'
  | 'sandbox-execution'
  | 'policy-change'
  | 'purge'
  | 'session-ended';
export interface RecordWriter {
  /** Resolves once the entry is on the disk. Rejects where it cannot be written: then its action must not happen. */
  append(entry: { readonly kind: RecordKind; readonly [detail: string]: Json }): Promise<void>;
}

/** One tool call, as the organization learns of it. */
export interface ActDetails {
  readonly session: string;
  readonly parentSession?: string;
  readonly tool: string;
  readonly target: ToolTarget;
  readonly authorizedBy: 'policy' | 'human' | 'automatic';
  readonly outcome: 'succeeded' | 'failed' | 'refused' | 'interrupted';
  readonly reason?: string;
}
/** An organization's policy, and where it is from. */
export interface PolicyInForce {
  readonly source: 'gateway' | 'kept' | 'none';
  readonly revision: number | null;
  /** The whole document as it was installed; null where nothing is imposed now. */
  readonly document: Json;
  readonly tools: {
    readonly allow?: readonly string[] | undefined;
    readonly ask?: readonly string[] | undefined;
    readonly exclude?: readonly string[] | undefined;
  };
  /** Where the commands of agents run. */
  readonly commands: 'workstation' | 'gateway';
  /** A message that the user has not seen yet, such as that a cached copy is used; else null. */
  readonly notice: string | null;
}
export interface Organization {
  /**
   * The policy in force; requested at start and before each turn, so that a new revision takes effect at once. Rejects with
   * `PolicyUnknown` if the gateway does not answer and no valid copy is cached: then nothing may be done.
   */
  policy(): Promise<PolicyInForce>;
  /** `unknown` where the gateway does not say; it checks each call by itself. */
  standing(session: string): Promise<'in force' | 'revoked' | 'unknown'>;
  /** Keeps the act for delivery; returns at once. */
  act(act: ActDetails): void;
  /** Delivers queued acts, or leaves them on the disk for later. Resolves with a message if some remain; else null. */
  flush(): Promise<string | null>;
}
