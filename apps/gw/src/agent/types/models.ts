import type { Json, JsonSchemaObject } from './tools.ts';

/** Members of an engine's answer that only the model that produced them understands: its thinking, signatures. */
export interface KeptMembers {
  readonly [name: string]: Json;
}
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The text that the model sent, JSON as a rule. */
  readonly arguments: string;
  /** What else the engine sent with the call, and within its `function`. */
  readonly members?: KeptMembers;
  readonly functionMembers?: KeptMembers;
}
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `url` is a data URL. */
  | { readonly type: 'image'; readonly url: string };
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | UserMessage
  | AssistantMessage
  /** `images` are data URLs. */
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly content: string;
      readonly images?: readonly string[];
      readonly outcome?: 'succeeded' | 'failed' | 'denied';
    };
export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly ContentPart[];
  /** It stands for earlier messages, and is not of the user. */
  readonly summary?: boolean;
  /** It came while a turn was running, and belongs to that turn. */
  readonly steering?: boolean;
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  /** What else the engine sent: goes back to the model of this `entry`, and to no other. */
  readonly members?: KeptMembers;
  /** `Model.entry` of the model that produced it. */
  readonly entry?: string;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaObject;
}
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Sent as `x-gateway-session`. */
  readonly session: string;
}
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Whole: a call that breaks off is never yielded. */
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  /** Tokens of this call. */
  | { readonly type: 'usage'; readonly input: number; readonly output: number }
  /** The call failed before the first byte and is made again. */
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly reason: string }
  /** `refusal`: what the model says instead of an answer. `members` belong to its message. */
  | { readonly type: 'end'; readonly reason: string; readonly refusal?: string; readonly members?: KeptMembers };
export interface Model {
  /** The readable name of the configuration. */
  readonly name: string;
  /** Identifies the entry of the configuration: members of its answers go back to the same entry only. */
  readonly entry: string;
  /** Its host, where calls do not go through the user's gateway. */
  readonly host?: string;
  /** Tokens; null where the configuration does not say. */
  readonly contextLength: number | null;
  /** Whether it takes images; null where the configuration does not say: they are sent then. */
  readonly images: boolean | null;
  /** Euros per million tokens; null where the configuration does not say. */
  readonly prices: { readonly input: number; readonly output: number } | null;
  /** Throws `ModelRefused` or `ModelFailed`, or the signal's reason. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
/** The gateway refused (401, 402, 403), in its own words. */
export class ModelRefused extends Error {
  override readonly name = 'ModelRefused';
  readonly status: number;
  readonly revoked: boolean;
  constructor(message: string, status: number, revoked: boolean) {
    super(message);
    this.status = status;
    this.revoked = revoked;
  }
}
/** The call failed. `status` is null where there was no answer. */
export class ModelFailed extends Error {
  override readonly name: string = 'ModelFailed';
  readonly status: number | null;
  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}
/** The conversation is longer than the model takes. `tokens` is what it takes; null where the engine does not say. */
export class ContextExceeded extends ModelFailed {
  override readonly name = 'ContextExceeded';
  readonly tokens: number | null;
  constructor(message: string, status: number | null, tokens: number | null) {
    super(message, status);
    this.tokens = tokens;
  }
}
